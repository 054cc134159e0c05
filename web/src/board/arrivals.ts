/** When positions came from the server: what they say of time is counted from then. */

const arrivals = new WeakMap<object, number>();

/** By `performance.now()`. To be called first when a frame arrives. */
export function arrivalOf(frame: object): number {
  const known = arrivals.get(frame) ?? performance.now();
  arrivals.set(frame, known);
  return known;
}
