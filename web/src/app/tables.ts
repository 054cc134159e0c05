/** The tables that this browser has visited, with the secret codes of its seats. */

import type { Seat, Summary } from '../wire';
import { keys, read, remove, write } from './storage';

export interface StoredTable {
  id: string;
  game: string;
  title: string;
  names: string[];
  /** The last visit, in milliseconds since 1970. */
  when: number;
  /** The secret codes of this browser's seats; empty for a spectator. */
  codes: string[];
  /** For a table that was created here: the codes of its open seats, by seat number. */
  invites?: Record<string, string>;
  /** The number of the last chat message that was read. */
  heard?: number;
  /** The names of players whose messages are not shown. */
  muted?: string[];
  /** Moves were taken back, tried out or solved during the game, so the result says little about strength. */
  helped?: boolean;
  /** For an analysis board: the table of the game, and the number of acts before its position. */
  from?: Origin | undefined;
}

export interface Origin {
  table: string;
  seq: number;
}

/** The server reads at most this number of codes. */
const MAX_CODES = 16;

const PREFIX = 'table.';
const SUMMARY = 'summary.';

export function storeTable(table: StoredTable): void {
  write(PREFIX + table.id, table);
}

export function storedTable(id: string): StoredTable | null {
  const stored = read(PREFIX + id);
  return isStoredTable(stored) ? stored : null;
}

export function forgetTable(id: string): void {
  remove(PREFIX + id);
  remove(SUMMARY + id);
}

/** Stores the latest summary of a table, for lists of tables without a network. */
export function storeSummary(summary: Summary): void {
  write(SUMMARY + summary.id, summary);
}

export function storedSummary(id: string): Summary | null {
  const stored = read(SUMMARY + id);
  return isSummary(stored) ? stored : null;
}

/** Newest visit first. */
export function storedTables(): StoredTable[] {
  return keys()
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => storedTable(key.slice(PREFIX.length)))
    .filter((table) => table !== null)
    .sort((a, b) => b.when - a.when);
}

/** Merges codes without duplicates, the newest last. */
export function withCodes(codes: string[], more: string[]): string[] {
  return [...new Set([...codes, ...more])].slice(-MAX_CODES);
}

/** A random code of 128 bits. */
export function newCode(): string {
  return hex(16);
}

/** Not `randomUUID`, which browsers offer on secure pages only: a home network has none. */
export function hex(bytes: number): string {
  return inHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

export function inHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Codes come after the #, which browsers never send to a server. */
export function seatPath(table: string, codes: string[]): string {
  return `table/${table}#seat=${codes.join(',')}`;
}

export function codesIn(hash: string): string[] {
  return (
    /^#seat=([0-9a-f,]+)$/
      .exec(hash)?.[1]
      ?.split(',')
      .filter((code) => code !== '') ?? []
  );
}

/** Moves the codes of a seat link out of the address bar, where others might read them. */
export function codesOfAddress(): string[] {
  const codes = codesIn(location.hash);
  if (codes.length > 0) history.replaceState(history.state, '', location.pathname + location.search);
  return codes;
}

export function isStoredTable(value: unknown): value is StoredTable {
  if (!isObject(value)) return false;
  const { id, game, title, names, when, codes, invites, heard, muted, helped, from } = value;
  return (
    isWord(id) &&
    [game, title].every(isText) &&
    isNumber(when) &&
    isListOf(names, isText) &&
    isListOf(codes, isWord) &&
    (invites === undefined || (isObject(invites) && Object.values(invites).every(isWord))) &&
    (heard === undefined || isNumber(heard)) &&
    (muted === undefined || isListOf(muted, isText)) &&
    (helped === undefined || typeof helped === 'boolean') &&
    (from === undefined || (isObject(from) && isWord(from['table']) && isNumber(from['seq'])))
  );
}

export function isSummary(value: unknown): value is Summary {
  if (!isObject(value)) return false;
  const { id, game, title, turns, seats, started, hidden, paused, over, length, when, to_act, winners, scores } = value;
  const { ended_by, reason, explore, due } = value;
  return (
    isWord(id) &&
    [game, title].every(isText) &&
    [turns, started, hidden, paused, over].every((flag) => typeof flag === 'boolean') &&
    isListOf(seats, isSeat) &&
    [length, when].every(isNumber) &&
    [to_act, winners, scores].every((list) => isListOf(list, isNumber)) &&
    [ended_by, reason].every((text) => text === null || isText(text)) &&
    (explore === undefined || typeof explore === 'boolean') && // older versions stored neither this nor `due`
    (due === undefined || due === null || isNumber(due))
  );
}

function isSeat(value: unknown): value is Seat {
  if (!isObject(value)) return false;
  const { seat, kind, name, level, colour, mine, gone } = value;
  return (
    isNumber(seat) &&
    [kind, name, colour].every(isText) &&
    (level === null || isText(level)) &&
    [mine, gone].every((flag) => typeof flag === 'boolean')
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf<T>(value: unknown, fits: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(fits);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Like ids and codes. */
function isWord(value: unknown): value is string {
  return isText(value) && /^\w+$/.test(value);
}
