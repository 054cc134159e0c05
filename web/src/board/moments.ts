/** When the effects of an act become visible in its scene. */

import type { Effect, Line } from '../wire';

/** By kind of effect: milliseconds from the start of a scene, for several effects in their order. */
export type Times = Partial<Record<string, number[]>>;

/** Effects that become visible at the same time; none at the start of the act. */
export interface Moment {
  at: number;
  effects: Effect[];
}

/** The moments of an act in order. Effects without a time become visible at the `end`. */
export function momentsOf({ effects }: Line, times: Times, end: number): Moment[] {
  const byTime = new Map<number, Effect[]>();
  for (const effect of effects) {
    const alike = effects.filter(({ kind }) => kind === effect.kind);
    const planned = times[effect.kind] ?? [end];
    // A single effect can be visible several times, like a pyramid that lands at each of its hops.
    const own = alike.length === 1 ? planned : [planned[alike.indexOf(effect)] ?? planned.at(-1) ?? end];
    for (const at of own) byTime.set(at, [...(byTime.get(at) ?? []), effect]);
  }
  const moments = [...byTime].map(([at, together]) => ({ at, effects: together }));
  return [{ at: 0, effects: [] }, ...moments.sort((a, b) => a.at - b.at)];
}
