/** Under which address others open the pages. */

import type { Addresses } from '../wire';
import { BASE } from './base';
import { fetchAddresses, openToNetwork } from './http';

/** Whether a host of an address means the machine itself, whichever it is. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** "icetable · games.example": what is shown elsewhere of the site; without an address that others reach its name alone. */
export function siteWords(base: string | null): string {
  return base === null ? 'icetable' : `icetable · ${base.replace(/^\w+:\/\/|\/$/g, '')}`;
}

export interface Reach {
  /** What others reach in place of BASE; null where only this machine can open the pages, or the server doesn’t tell. */
  base: string | null;
  /** Whether this page may have the server let the local network in. */
  openable: boolean;
}

export async function reachOfOthers(): Promise<Reach> {
  if (!isLoopback(location.hostname)) return { base: BASE, openable: false };
  return fetchAddresses().then(reachBy, () => ({ base: null, openable: false }));
}

/** Lets the local network in, until the server ends. */
export async function letOthersIn(): Promise<Reach> {
  return reachBy(await openToNetwork());
}

function reachBy({ others: [best], openable }: Addresses): Reach {
  return { base: best ?? null, openable };
}
