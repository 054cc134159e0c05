/** Under which address others open the pages. */

import { fetchAddresses } from './http';

/** Whether a host of an address means the machine itself, whichever it is. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** "icetable · games.example": what is shown elsewhere of the site; without an address that others reach its name alone. */
export function siteWords(origin: string | null): string {
  return origin === null ? 'icetable' : `icetable · ${new URL(origin).host}`;
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
