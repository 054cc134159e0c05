/**
 * Moves data to another browser through the server, end-to-end encrypted: the id and the key are derived from a code
 * that the server never sees.
 */

import { ask, post } from '../app/http';
import { inHex } from '../app/tables';
import type { Transfer, TransferLeft } from '../wire';

/** Without letters that are easily mistaken for others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LOOKALIKES: Record<string, string> = { o: '0', i: '1', l: '1' };
/** In letters of five bits each. */
const CODE_LENGTH = 20;
const GROUP_LENGTH = 5;
const IV_BYTES = 12;
const ID_BITS = 80;
/** The server’s limit. */
const MAX_BYTES = 250_000;

export const NO_CRYPTO_ERROR =
  'Browsers encrypt only on pages with https, or on the machine where icetable runs. Save a file instead, and open it there.';

interface Keys {
  /** The transfer’s id on the server. */
  id: string;
  key: CryptoKey;
}

export function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]!).join('');
}

/** A code for people: "7k2m9-…". */
export function groupedCode(code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
}

/** Parses a typed code; null if it is invalid. */
export function parseCode(typed: string): string | null {
  const letters = [...typed.toLowerCase().replace(/[\s-]/g, '')].map((letter) => LOOKALIKES[letter] ?? letter);
  return letters.length === CODE_LENGTH && letters.every((letter) => ALPHABET.includes(letter))
    ? letters.join('')
    : null;
}

/** Leaves a text on the server; returns its lifetime in seconds. */
export async function leaveTransfer(code: string, text: string): Promise<number> {
  const { id, key } = await deriveKeys(code);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const content = await transformed(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
  const cipher = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, content));
  if (iv.length + cipher.length > MAX_BYTES) throw new Error('This is too much to move. Save a file instead.');
  const encrypted = btoa(Array.from([...iv, ...cipher], (byte) => String.fromCharCode(byte)).join(''));
  return (await post<TransferLeft>('api/transfers', { transfer: id, encrypted })).seconds;
}

/** Fetches the text of a code; the server deletes it. */
export async function takeTransfer(code: string): Promise<string> {
  const { id, key } = await deriveKeys(code);
  const response = await ask(`api/transfers/${id}`, { method: 'POST' });
  const { encrypted } = (await response.json()) as Transfer;
  const bytes = Uint8Array.from(atob(encrypted), (letter) => letter.charCodeAt(0));
  const [iv, cipher] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  const content = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, cipher);
  return new TextDecoder().decode(await transformed(new DecompressionStream('deflate-raw'), new Uint8Array(content)));
}

/** Neither the id nor the key reveals the other one or the code. */
async function deriveKeys(code: string): Promise<Keys> {
  if (!crypto.subtle) throw new Error(NO_CRYPTO_ERROR);
  const encoded = (text: string) => new TextEncoder().encode(text);
  const material = await crypto.subtle.importKey('raw', encoded(code), 'HKDF', false, ['deriveBits', 'deriveKey']);
  const derived = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoded(info) });
  const id = new Uint8Array(await crypto.subtle.deriveBits(derived('icetable transfer id'), material, ID_BITS));
  const cipher = { name: 'AES-GCM', length: 256 };
  const key = await crypto.subtle.deriveKey(derived('icetable transfer key'), material, cipher, false, [
    'encrypt',
    'decrypt',
  ]);
  return { id: inHex(id), key };
}

async function transformed(
  transform: GenericTransformStream,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer());
}
