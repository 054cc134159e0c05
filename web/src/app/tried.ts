/** What this browser's user has made of the puzzles. */

import { read, write } from './storage';

const PREFIX = 'puzzles.';
const DAYS = 'puzzle-days';

/** `solved` at the first try, `late`: after a mistake, or not yet (`failed`). */
const RESULTS = ['solved', 'late', 'failed'] as const;

export type Result = (typeof RESULTS)[number];

export interface Tried {
  name: string;
  result: Result;
}

/** The days, by number, up to which a puzzle of the day was solved day by day. */
interface Days {
  last: number;
  inARow: number;
}

/** The puzzles of a game that were tried, in the order of the first tries. */
export function tried(game: string): Tried[] {
  const kept = read(PREFIX + game);
  return Array.isArray(kept) ? kept.filter(isTried) : [];
}

/** What became of a try; only the first one tells whether the puzzle was solved without a mistake. */
export function keepTry(game: string, name: string, isRight: boolean): void {
  const all = tried(game);
  const known = all.find((one) => one.name === name);
  if (!known) all.push({ name, result: isRight ? 'solved' : 'failed' });
  else if (isRight && known.result === 'failed') known.result = 'late';
  write(PREFIX + game, all);
}

/** How many puzzles came to each result, and how many of the last ones were solved at the first try in a row. */
export function tally(all: Tried[]): Record<Result, number> & { inARow: number } {
  const count = (wanted: Result): number => all.filter(({ result }) => result === wanted).length;
  const broken = all.findLastIndex(({ result }) => result !== 'solved');
  return { solved: count('solved'), late: count('late'), failed: count('failed'), inARow: all.length - 1 - broken };
}

/** A puzzle of the day was solved. */
export function keepDay(day: number): void {
  const { last, inARow } = keptDays();
  if (day !== last) write(DAYS, { last: day, inARow: day === last + 1 ? inARow + 1 : 1 });
}

/** On how many days in a row, up to today or yesterday, a puzzle of the day was solved. */
export function daysInARow(today: number): number {
  const { last, inARow } = keptDays();
  return last === today || last === today - 1 ? inARow : 0;
}

function keptDays(): Days {
  const kept = read(DAYS);
  return isDays(kept) ? kept : { last: 0, inARow: 0 };
}

function isTried(kept: unknown): kept is Tried {
  if (typeof kept !== 'object' || kept === null || !('name' in kept) || !('result' in kept)) return false;
  return typeof kept.name === 'string' && RESULTS.some((result) => result === kept.result);
}

function isDays(kept: unknown): kept is Days {
  if (typeof kept !== 'object' || kept === null || !('last' in kept) || !('inARow' in kept)) return false;
  return [kept.last, kept.inARow].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
}
