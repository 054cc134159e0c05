/** Whether the secret of chance matches its commitment: the SHA-256 of the secret, in hexadecimal digits. */

import { inHex } from '../../app/tables';

/** Undefined if this browser can't check: browsers compute hashes on secure pages only. */
export async function matches(commitment: string, secret: string): Promise<boolean | undefined> {
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined;
  if (!subtle) return undefined;
  const bytes = Uint8Array.from(secret.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const hash = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return commitment === inHex(hash);
}
