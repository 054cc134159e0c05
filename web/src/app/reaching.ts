/** The address at which others can open the pages. */

import type { Addresses, Network } from '../wire';
import { BASE } from './base';
import { fetchAddresses, setNetwork } from './http';

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
  /** The networks that this page may open the server to, the likeliest first; none if it may not. */
  networks: Network[];
}

export const NOWHERE: Reach = { base: null, networks: [] };

/** Throws the server’s errors. */
export async function askReach(): Promise<Reach> {
  return isLoopback(location.hostname) ? toReach(await fetchAddresses()) : { base: BASE, networks: [] };
}

/** The same; without an answer, only this machine. */
export function fetchReach(): Promise<Reach> {
  return askReach().catch(() => NOWHERE);
}

/** Opens the server to one of its machine’s networks, or closes it again. */
export async function letIn(host: string, open: boolean): Promise<Reach> {
  return toReach(await setNetwork({ host, open }));
}

const KINDS: Record<Network['kind'], string> = {
  wifi: 'Wi-Fi',
  cable: 'Cable',
  network: 'Network',
  vpn: 'VPN',
  virtual: 'Virtual network',
};

/** "Wi-Fi, 192.168.0.7". */
export function networkWords({ kind, host }: Network): string {
  return `${KINDS[kind]}, ${host}`;
}

function toReach({ others: [best], networks }: Addresses): Reach {
  return { base: best ?? null, networks: networks ?? [] };
}
