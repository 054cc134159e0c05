/** Arrival times of positions, to which the times in them are relative. */

const arrivals = new WeakMap<object, number>();

/** The time of the first call, by `performance.now()`: to be called when a frame arrives. */
export function arrivalOf(frame: object): number {
  const known = arrivals.get(frame) ?? performance.now();
  arrivals.set(frame, known);
  return known;
}
