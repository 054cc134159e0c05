/** The address at which others can open the pages. */

import type { Addresses } from '../wire';
import { BASE } from './base';
import { fetchAddresses, openToNetwork } from './http';

/** Whether a hostname always means the local machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** "icetable · games.example"; without an address that others can reach, just the name. */
export function siteWords(base: string | null): string {
  return base === null ? 'icetable' : `icetable · ${base.replace(/^\w+:\/\/|\/$/g, '')}`;
}

export interface Reach {
  /** The base URL for others; null if only this machine can open the pages, or the server doesn’t say. */
  base: string | null;
  /** Whether this page may open the server to the local network. */
  openable: boolean;
}

export async function fetchReach(): Promise<Reach> {
  if (!isLoopback(location.hostname)) return { base: BASE, openable: false };
  return fetchAddresses().then(toReach, () => ({ base: null, openable: false }));
}

/** Opens the server to the local network until it stops. */
export async function letOthersIn(): Promise<Reach> {
  return toReach(await openToNetwork());
}

function toReach({ others: [best], openable }: Addresses): Reach {
  return { base: best ?? null, openable };
}
