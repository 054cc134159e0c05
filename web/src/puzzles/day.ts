/** The puzzle of the day: of each game one, the same for everybody whose calendar shows the same date. */

const MILLISECONDS = 24 * 60 * 60 * 1000;
/** The golden ratio: neighbours in a collection, which are often alike, lie days apart. */
const STEP = 0.618;

/** The number of a date, whatever the time zone. */
export function dayOf(date: Date): number {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / MILLISECONDS;
}

/** The puzzle of a day: each one comes up once before any comes again. Undefined where there is none. */
export function ofTheDay<P>(puzzles: readonly P[], day: number): P | undefined {
  return puzzles[(day * stride(puzzles.length)) % puzzles.length];
}

/** A number without a common factor with the length, so that its multiples come to every place. */
function stride(length: number): number {
  let step = Math.max(1, Math.round(STEP * length));
  while (commonFactor(step, length) > 1) step += 1;
  return step;
}

function commonFactor(one: number, other: number): number {
  return other === 0 ? one : commonFactor(other, one % other);
}
