/** What the lobby says of a table that waits for players. */

import { clockWords } from '../app/clocks';
import { counted, heading, list, matchWords, valueWords } from '../app/words';
import type { GameInfo, Listing } from '../wire';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function waitingTables(tables: readonly Listing[]): Listing[] {
  return tables.filter(({ started }) => !started);
}

/** Who sits there, by name. */
export function hostsOf({ seats }: Listing): string[] {
  return seats.filter(({ kind }) => kind !== 'open').map(({ name }) => name);
}

/** "one open seat · 15 min + 10 s per move · first to 2 wins · Board: hexagon · for 3 minutes". */
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
  if (milliseconds < MINUTE) return 'just opened';
  if (milliseconds < HOUR) return `waiting for ${counted(Math.floor(milliseconds / MINUTE), 'minute')}`;
  return `waiting for ${counted(Math.floor(milliseconds / HOUR), 'hour')}`;
}

/** "Ann and Bob, in progress". */
export function playedWords(table: Listing): string {
  return `${list(hostsOf(table))}, ${table.live ? 'in progress' : 'shown when over'}`;
}
