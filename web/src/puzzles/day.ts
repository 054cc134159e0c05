/** The puzzle of the day of each game, at the user's own level: the same for all of that level with the same local date. */

import type { Tried } from '../app/tried';
import { read, write } from '../app/storage';
import type { PuzzleCollection, PuzzleListed } from '../wire';
import { levelOf, levelsOf } from './choice';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Neighbours in a collection are often similar: steps of this ratio keep them days apart. */
const GOLDEN_RATIO = 0.618;

/** The number of a local date, independent of the time zone. */
export function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
}

/** So many puzzles of a level, solved at the first try and more than were not, lead to the next level. */
const SOLVED_FOR_NEXT = 3;

/** The level of a user by the puzzles they have tried: at first the weakest. */
export function ownLevel(collection: PuzzleCollection, tries: Tried[]): string | undefined {
  const results = new Map(tries.map(({ name, result }) => [name, result]));
  const levels = levelsOf(collection);
  const found = levels.find((level) => {
    const puzzles = collection.puzzles.filter((puzzle) => levelOf(puzzle) === level);
    const done = puzzles.flatMap(({ name }) => results.get(name) ?? []);
    const solved = done.filter((result) => result === 'solved').length;
    return solved < Math.min(SOLVED_FOR_NEXT, puzzles.length) || 2 * solved <= done.length;
  });
  return found ?? levels.at(-1);
}

const PREFIX = 'puzzle-of-the-day.';

/** The puzzle of a day for this browser's user; it stays for the day, whatever else they solve. */
export function dailyPuzzle(collection: PuzzleCollection, day: number, tries: Tried[]): PuzzleListed | undefined {
  const stored = read(PREFIX + collection.game);
  const isToday = typeof stored === 'object' && stored !== null && 'day' in stored && stored.day === day;
  const known = isToday && 'name' in stored && collection.puzzles.find(({ name }) => name === stored.name);
  if (known) return known;
  const level = ownLevel(collection, tries);
  const found = puzzleOfTheDay(
    collection.puzzles.filter((puzzle) => levelOf(puzzle) === level),
    day,
  );
  if (found) write(PREFIX + collection.game, { day, name: found.name });
  return found;
}

/** The puzzle of a day; all puzzles have their day before any repeats. Undefined if there are none. */
export function puzzleOfTheDay<P>(puzzles: readonly P[], day: number): P | undefined {
  return puzzles[(day * stride(puzzles.length)) % puzzles.length];
}

/** A number coprime to the length, whose multiples reach every index. */
function stride(length: number): number {
  let step = Math.max(1, Math.round(GOLDEN_RATIO * length));
  while (greatestCommonDivisor(step, length) > 1) step += 1;
  return step;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
