/** When the effects of an act are seen, in the course of its scene. */

import type { Effect, Line } from '../wire';

/** By kind of effect, in milliseconds from the start of a scene: for several effects one after the other. */
export type Times = Partial<Record<string, number[]>>;

/** Effects that are seen at the same time; none of them as the act begins. */
export interface Moment {
  at: number;
  effects: Effect[];
}

/** The moments of an act in order. What no time is given for is seen at the `end`. */
export function momentsOf({ effects }: Line, times: Times, end: number): Moment[] {
  const seen = new Map<number, Effect[]>();
  for (const one of effects) {
    const alike = effects.filter(({ kind }) => kind === one.kind);
    const whens = times[one.kind] ?? [end];
    // A single effect can be seen again and again, like a pyramid that lands at each of its hops.
    const own = alike.length === 1 ? whens : [whens[alike.indexOf(one)] ?? whens.at(-1) ?? end];
    for (const at of own) seen.set(at, [...(seen.get(at) ?? []), one]);
  }
  const moments = [...seen].map(([at, together]) => ({ at, effects: together }));
  return [{ at: 0, effects: [] }, ...moments.sort((a, b) => a.at - b.at)];
}
