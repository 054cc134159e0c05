/** The tables this browser has sat or watched at, with the secret codes of its seats. */

import { keys, read, remove, write } from './storage';

export interface KeptTable {
  id: string;
  game: string;
  title: string;
  names: string[];
  /** Milliseconds since 1970: the last visit. */
  when: number;
  /** Empty for a table that is only watched. */
  codes: string[];
}

const PREFIX = 'table.';

export function keepTable(table: KeptTable): void {
  write(PREFIX + table.id, table);
}

export function keptTable(id: string): KeptTable | null {
  const kept = read(PREFIX + id);
  return isKeptTable(kept) ? kept : null;
}

export function forgetTable(id: string): void {
  remove(PREFIX + id);
}

/** Newest visit first. */
export function keptTables(): KeptTable[] {
  return keys()
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => keptTable(key.slice(PREFIX.length)))
    .filter((table) => table !== null)
    .sort((a, b) => b.when - a.when);
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
