/** Under which address others open the pages. */

import { fetchAddresses } from './http';

/** Whether a host of an address means the machine itself, whichever it is. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The origin that others reach; null where only this machine can open the pages, or the server doesn’t tell. */
export async function originForOthers(): Promise<string | null> {
  if (!isLoopback(location.hostname)) return location.origin;
  const [best] = await fetchAddresses().then(
    ({ others }) => others,
    () => [],
  );
  return best === undefined ? null : new URL(best).origin;
}
