/** The tables that this browser has visited, with the secret codes of its seats. */

import type { Summary } from '../wire';
import { keys, read, remove, write } from './storage';

export interface KeptTable {
  id: string;
  game: string;
  title: string;
  names: string[];
  /** Milliseconds since 1970: the last visit. */
  when: number;
  /** The secret codes of this browser's seats; empty for a spectator. */
  codes: string[];
  /** For a table that was created here: the codes of its open seats, by seat number. */
  invites?: Record<string, string>;
  /** The number of the last chat message that was seen. */
  heard?: number;
  /** The names of players whose messages are not shown. */
  muted?: string[];
}

const PREFIX = 'table.';
const SUMMARY = 'summary.';

export function keepTable(table: KeptTable): void {
  write(PREFIX + table.id, table);
}

export function keptTable(id: string): KeptTable | null {
  const kept = read(PREFIX + id);
  return isKeptTable(kept) ? kept : null;
}

export function forgetTable(id: string): void {
  remove(PREFIX + id);
  remove(SUMMARY + id);
}

/** How a table stood when the server was last asked, for lists of tables without a network. */
export function keepSummary(summary: Summary): void {
  write(SUMMARY + summary.id, summary);
}

export function keptSummary(id: string): Summary | null {
  const kept = read(SUMMARY + id);
  return typeof kept === 'object' && kept !== null && 'seats' in kept ? (kept as Summary) : null;
}

/** Newest visit first. */
export function keptTables(): KeptTable[] {
  return keys()
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => keptTable(key.slice(PREFIX.length)))
    .filter((table) => table !== null)
    .sort((a, b) => b.when - a.when);
}

/** A code of 128 bits. */
export function newCode(): string {
  return hex(16);
}

/** Not `randomUUID`, which browsers offer on secure pages only: a table on the home network has none. */
export function hex(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(drawn, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The codes come after the #, which browsers do not send to any server. */
export function seatLink(table: string, codes: string[]): string {
  return `${location.origin}/table/${table}#seat=${codes.join(',')}`;
}

export function codesIn(hash: string): string[] {
  return (
    /^#seat=([0-9a-f,]+)$/
      .exec(hash)?.[1]
      ?.split(',')
      .filter((code) => code !== '') ?? []
  );
}

function isKeptTable(value: unknown): value is KeptTable {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    'when' in value &&
    'names' in value &&
    Array.isArray(value.names) &&
    'codes' in value &&
    Array.isArray(value.codes)
  );
}
