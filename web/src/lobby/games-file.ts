/** This browser’s games and its user’s profile as a file, to keep or to bring to another browser. */

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

/** A game with how it stood; null: the server had told nothing of it. */
export interface KeptGame {
  table: StoredTable;
  summary: Summary | null;
}

const FORMAT = 'icetable games';
const VERSION = 1;
/** Far more than a list can have, in characters. */
const LONGEST = 5_000_000;

const NO_LIST = 'This file is neither the record of a game nor a list of games from icetable.';

export function write(games: KeptGame[], profile?: Profile): string {
  return JSON.stringify({ format: FORMAT, version: VERSION, games, profile }, null, 1);
}

/** The profile in such a file, which older ones lack. */
export function profileIn(text: string): Profile | null {
  const file = parse(text);
  return has(file, 'profile') && isProfile(file.profile) ? file.profile : null;
}

/** Whether a file has the record of a game, and be it within a mail; the server says what is wrong with it. */
export function isRecord(text: string): boolean {
  return !text.trimStart().startsWith('{') && /icetable\srecord/.test(text);
}

/** The games in such a file. An Error says why there are none. */
export function read(text: string): KeptGame[] {
  const file = text.length <= LONGEST ? parse(text) : null;
  if (!has(file, 'format') || file.format !== FORMAT) throw new Error(NO_LIST);
  if (!has(file, 'version') || file.version !== VERSION) {
    throw new Error('This list comes from another version of icetable, which this one can’t read.');
  }
  if (!has(file, 'games') || !Array.isArray(file.games)) throw new Error(NO_LIST);
  return file.games.map((game: unknown, index) => {
    if (!isKeptGame(game)) throw new Error(`Game ${index + 1} of this list is damaged. Nothing was added.`);
    return game;
  });
}

/** Keeps the games of a list with those of this browser; what came of it in words. */
export function keepAll(games: KeptGame[]): string {
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
  const news = [added > 0 && `${counted(added, 'game')} added`, changed > 0 && `${counted(changed, 'game')} updated`];
  const words = news.filter(Boolean).join(', ');
  return words ? `${words}.` : 'There is nothing new in this list.';
}

/** What is known of one game from two sides: the newer wins, and no seat is lost. */
export function merged(own: KeptGame, other: KeptGame): KeptGame {
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

function isKeptGame(value: unknown): value is KeptGame {
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
