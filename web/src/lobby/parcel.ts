/**
 * What a browser moves to another one. It is sealed here, and waits on the server for whoever has the code: that tells the
 * server neither the key nor anything of what is in it.
 */

import { ask, post } from '../app/http';
import { inHex } from '../app/tables';
import type { Parcel, ParcelLeft } from '../wire';

/** Without those that are easily taken for another one. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const ALIKE: Record<string, string> = { o: '0', i: '1', l: '1' };
/** Of five bits each. */
const LENGTH = 20;
const GROUP = 5;
const IV_BYTES = 12;
const ID_BITS = 80;
/** What the server takes, in bytes. */
const MOST = 250_000;

export const UNSEALABLE =
  'Browsers encrypt only on pages with https, or on the machine where icetable runs. Save a file instead, and open it there.';

interface Keys {
  /** Under which the server keeps the parcel. */
  id: string;
  key: CryptoKey;
}

export function drawCode(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => LETTERS[byte % LETTERS.length]!).join('');
}

/** A code as it is read and typed: "7k2m9-…". */
export function groupedCode(code: string): string {
  return (code.match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-');
}

/** The code that somebody typed; null: it is none. */
export function readCode(typed: string): string | null {
  const letters = [...typed.toLowerCase().replace(/[\s-]/g, '')].map((letter) => ALIKE[letter] ?? letter);
  return letters.length === LENGTH && letters.every((letter) => LETTERS.includes(letter)) ? letters.join('') : null;
}

/** Leaves a text for whoever has the code; for how many seconds it waits. */
export async function leaveParcel(code: string, text: string): Promise<number> {
  const { id, key } = await keysOf(code);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const content = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text));
  const encrypted = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, content));
  if (iv.length + encrypted.length > MOST) throw new Error('That is too much to move like this. Save a file instead.');
  const sealed = btoa(Array.from([...iv, ...encrypted], (byte) => String.fromCharCode(byte)).join(''));
  return (await post<ParcelLeft>('api/parcels', { parcel: id, sealed })).seconds;
}

/** The text that was left for this code. It is gone from the server then. */
export async function takeParcel(code: string): Promise<string> {
  const { id, key } = await keysOf(code);
  const response = await ask(`api/parcels/${id}`, { method: 'POST' });
  const { sealed } = (await response.json()) as Parcel;
  const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0));
  const [iv, encrypted] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  const content = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, encrypted);
  return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), new Uint8Array(content)));
}

/** The id and the key tell nothing of each other, nor of the code. */
async function keysOf(code: string): Promise<Keys> {
  if (!crypto.subtle) throw new Error(UNSEALABLE);
  const encoded = (text: string) => new TextEncoder().encode(text);
  const material = await crypto.subtle.importKey('raw', encoded(code), 'HKDF', false, ['deriveBits', 'deriveKey']);
  const derived = (info: string) => ({ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoded(info) });
  const id = new Uint8Array(await crypto.subtle.deriveBits(derived('icetable parcel id'), material, ID_BITS));
  const cipher = { name: 'AES-GCM', length: 256 };
  const key = await crypto.subtle.deriveKey(derived('icetable parcel key'), material, cipher, false, [
    'encrypt',
    'decrypt',
  ]);
  return { id: inHex(id), key };
}

async function through(way: GenericTransformStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(way)).arrayBuffer());
}
