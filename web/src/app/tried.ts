/** The puzzle results of this browser's user. */

import { read, write } from './storage';

const PREFIX = 'puzzles.';
const DAYS = 'puzzle-days';

/** `solved`: at the first try; `late`: after a mistake; `failed`: not yet. */
const RESULTS = ['solved', 'late', 'failed'] as const;

export type Result = (typeof RESULTS)[number];

export interface Tried {
  name: string;
  result: Result;
}

/** The last day, by number, with a solved puzzle of the day, and the length of the streak up to it. */
interface Days {
  last: number;
  inARow: number;
}

/** The puzzles of a game that were tried, in the order of their first tries. */
export function tried(game: string): Tried[] {
  const stored = read(PREFIX + game);
  return Array.isArray(stored) ? stored.filter(isTried) : [];
}

/** Records a try; a puzzle counts as solved only if the first try was right. */
export function recordTry(game: string, name: string, isRight: boolean): void {
  const all = tried(game);
  const known = all.find((puzzle) => puzzle.name === name);
  if (!known) all.push({ name, result: isRight ? 'solved' : 'failed' });
  else if (isRight && known.result === 'failed') known.result = 'late';
  write(PREFIX + game, all);
}

/** The number of puzzles by result, and the current streak of puzzles solved at the first try. */
export function tally(all: Tried[]): Record<Result, number> & { inARow: number } {
  const count = (wanted: Result): number => all.filter(({ result }) => result === wanted).length;
  const lastMistake = all.findLastIndex(({ result }) => result !== 'solved');
  return {
    solved: count('solved'),
    late: count('late'),
    failed: count('failed'),
    inARow: all.length - 1 - lastMistake,
  };
}

/** Records that the puzzle of a day was solved. */
export function recordDay(day: number): void {
  const { last, inARow } = storedDays();
  if (day !== last) write(DAYS, { last: day, inARow: day === last + 1 ? inARow + 1 : 1 });
}

/** The length of the streak of solved puzzles of the day, up to today or yesterday. */
export function daysInARow(today: number): number {
  const { last, inARow } = storedDays();
  return last === today || last === today - 1 ? inARow : 0;
}

function storedDays(): Days {
  const stored = read(DAYS);
  return isDays(stored) ? stored : { last: 0, inARow: 0 };
}

function isTried(stored: unknown): stored is Tried {
  if (typeof stored !== 'object' || stored === null || !('name' in stored) || !('result' in stored)) return false;
  return typeof stored.name === 'string' && RESULTS.some((result) => result === stored.result);
}

function isDays(stored: unknown): stored is Days {
  if (typeof stored !== 'object' || stored === null || !('last' in stored) || !('inARow' in stored)) return false;
  return [stored.last, stored.inARow].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
}
