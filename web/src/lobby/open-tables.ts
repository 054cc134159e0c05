/** The lobby’s words about public tables. */

import { clockWords } from '../app/clocks';
import { counted, heading, list, matchWords, valueWords } from '../app/words';
import type { GameInfo, Listing } from '../wire';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export function waitingTables(tables: readonly Listing[]): Listing[] {
  return tables.filter(({ started }) => !started);
}

export function playersOf({ seats }: Listing): string[] {
  return seats.filter(({ kind }) => kind !== 'open').map(({ name }) => name);
}

/** "2 seats of 3 free · 15 min + 10 s per move · first to 2 wins · Board: hexagon · waiting for 3 minutes". */
export function waitingWords(table: Listing, game: GameInfo | undefined, now: number): string {
  const { seats, clock, match, pair, options, plays_like: level, created } = table;
  const open = seats.filter(({ kind }) => kind === 'open').length;
  const title = game?.levels.find(({ name }) => name === level)?.title;
  return [
    title ? `says: plays like ${title}` : '',
    seats.length > 2 ? `${counted(open, 'seat')} of ${seats.length} free` : '',
    clock ? clockWords(clock) : game?.turns ? 'no clock' : '',
    pair ? 'two games' : '',
    match ? matchWords(match) : '',
    ...Object.entries(options).map(([name, value]) => `${heading(name)}: ${valueWords(value)}`),
    waitedWords(now - created),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

export function waitedWords(milliseconds: number): string {
  if (milliseconds < MINUTE_MS) return 'just opened';
  if (milliseconds < HOUR_MS) return `waiting for ${counted(Math.floor(milliseconds / MINUTE_MS), 'minute')}`;
  return `waiting for ${counted(Math.floor(milliseconds / HOUR_MS), 'hour')}`;
}

/** "Ann and Bob, in progress". */
export function playedWords(table: Listing): string {
  return `${list(playersOf(table))}, ${table.live ? 'in progress' : 'shown when over'}`;
}
