/** Files of this browser’s games and its user’s profile, for backups and for moving to another browser. */

import {
  isStoredTable,
  isSummary,
  storeSummary,
  storeTable,
  storedSummary,
  storedTable,
  withCodes,
  type StoredTable,
} from '../app/tables';
import { counted } from '../app/words';
import type { Summary } from '../wire';
import { isProfile, type Profile } from './profile';

/** A game with its latest summary; null if the server has never sent one. */
export interface StoredGame {
  table: StoredTable;
  summary: Summary | null;
}

const FORMAT = 'icetable games';
const FORMAT_VERSION = 1;
const MAX_CHARACTERS = 5_000_000;

const FORMAT_ERROR = 'This file is neither the record of a game nor a list of games from icetable.';

export function write(games: StoredGame[], profile?: Profile): string {
  return JSON.stringify({ format: FORMAT, version: FORMAT_VERSION, games, profile }, null, 1);
}

/** The profile in a file; older files have none. */
export function profileIn(text: string): Profile | null {
  const file = parse(text);
  return has(file, 'profile') && isProfile(file.profile) ? file.profile : null;
}

/** Whether a text contains the record of a game, perhaps quoted in a mail; the server checks the rest. */
export function isRecord(text: string): boolean {
  return !text.trimStart().startsWith('{') && /icetable\srecord/.test(text);
}

/** The games in a file; throws an Error with the reason if it can’t be read. */
export function read(text: string): StoredGame[] {
  const file = text.length <= MAX_CHARACTERS ? parse(text) : null;
  if (!has(file, 'format') || file.format !== FORMAT) throw new Error(FORMAT_ERROR);
  if (!has(file, 'version') || file.version !== FORMAT_VERSION) {
    throw new Error('This list comes from another version of icetable, which this one can’t read.');
  }
  if (!has(file, 'games') || !Array.isArray(file.games)) throw new Error(FORMAT_ERROR);
  return file.games.map((game: unknown, index) => {
    if (!isStoredGame(game)) throw new Error(`Game ${index + 1} of this list is damaged. Nothing was added.`);
    return game;
  });
}

/** Merges games into those of this browser; returns a message about the result. */
export function addGames(games: StoredGame[]): string {
  let [added, changed] = [0, 0];
  for (const game of games) {
    const own = storedTable(game.table.id);
    const before = own && { table: own, summary: storedSummary(own.id) };
    const after = before ? merged(before, game) : game;
    if (!before) added += 1;
    else if (JSON.stringify(after) !== JSON.stringify(before)) changed += 1;
    storeTable(after.table);
    if (after.summary) storeSummary(after.summary);
  }
  const parts = [added > 0 && `${counted(added, 'game')} added`, changed > 0 && `${counted(changed, 'game')} updated`];
  const words = parts.filter(Boolean).join(', ');
  return words ? `${words}.` : 'There is nothing new in this list.';
}

/** Merges two versions of a game: the newer wins, and all seats are kept. */
export function merged(own: StoredGame, other: StoredGame): StoredGame {
  const [old, recent] = own.table.when < other.table.when ? [own.table, other.table] : [other.table, own.table];
  const codes = withCodes(old.codes, recent.codes);
  const helped = old.helped || recent.helped;
  const table = { ...recent, codes, ...(helped === undefined ? {} : { helped }) };
  return { table, summary: later(own.summary, other.summary) };
}

function later(own: Summary | null, other: Summary | null): Summary | null {
  if (!own || !other) return own ?? other;
  if (own.over !== other.over) return own.over ? own : other;
  return own.when < other.when ? other : own;
}

function isStoredGame(value: unknown): value is StoredGame {
  if (!has(value, 'table') || !has(value, 'summary') || !isStoredTable(value.table)) return false;
  return value.summary === null || (isSummary(value.summary) && value.summary.id === value.table.id);
}

function has<K extends string>(value: unknown, key: K): value is Record<K, unknown> {
  return typeof value === 'object' && value !== null && key in value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
