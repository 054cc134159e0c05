/** The puzzle of the day of each game, the same for all players with the same local date. */

const DAY_MS = 24 * 60 * 60 * 1000;
/** Neighbours in a collection are often similar: steps of this ratio keep them days apart. */
const GOLDEN_RATIO = 0.618;

/** The number of a local date, independent of the time zone. */
export function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS;
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
