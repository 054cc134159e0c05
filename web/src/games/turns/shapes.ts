/** Shapes on the board, those formed and those threatened, and help for learners in words. */

import { list } from '../../app/words';
import { nameOf } from '../../board/words';
import type { Point } from '../../pieces/projection';
import type { Seat } from '../../wire';
import { kindWords, stackOf } from './pieces';
import type { Area, Layout, Line, Threat, View } from './wire';
import { lookOf } from './words';

/** A shape that an act has formed, and what of it is lit up; null: only its outline. */
export interface Formed {
  corners: string[];
  lit: Area | null;
}

/** The shapes that an act has formed. What is lit up follows from the value of a coin, say, before the act. */
export function formedBy(layout: Layout, line: Line | null, view: View): Formed[] {
  return (line?.effects ?? []).flatMap((effect) => {
    const { shape } = lookOf(layout, effect);
    if (!shape) return [];
    const before = shape.by ? valueBefore(layout, line, view, shape.by) : '';
    return [{ corners: effect.spaces, lit: shape.lit[before] ?? null }];
  });
}

/** A value that a die or a coin shows, before an act that may have changed it. */
export function valueBefore({ shows }: Layout, line: Line | null, { own = {} }: View, name: string): string {
  const now = typeof own[name] === 'string' ? own[name] : '';
  const changed = line?.effects.some(({ kind }) => kind === name);
  return changed ? (Object.keys(shows?.[name]?.faces ?? {}).find((value) => value !== now) ?? now) : now;
}

/** The outline of a shape, as an SVG path around its corners. */
export function outlineOf(points: Point[]): string {
  const middle = (axis: 'x' | 'y') => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const angle = ({ x, y }: Point) => Math.atan2(y - middle('y'), x - middle('x'));
  const ordered = points.toSorted((a, b) => angle(a) - angle(b));
  return `M${ordered.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;
}

/** A seat's threats, those with the most prey first. */
export function threatsOf({ threats = [] }: View, seat: number): Threat[] {
  return threats.filter((threat) => threat.seat === seat).sort((a, b) => b.prey.length - a.prey.length);
}

/** The threats of others to pieces of a seat, which are their only prey here; those with the most prey first. */
function dangersOf({ kinds }: Layout, view: View, seat: number): Threat[] {
  return (view.threats ?? [])
    .map((threat) => ({
      ...threat,
      prey: threat.prey.filter((name) => stackOf(view, name, kinds).at(-1)?.colour === seat),
    }))
    .filter((threat) => threat.seat !== seat && threat.prey.length > 0)
    .sort((a, b) => b.prey.length - a.prey.length);
}

/** The chances and the dangers of a seat; without one, all threats. */
export function concerning(layout: Layout, view: View, seat: number | null): Threat[] {
  return seat === null ? (view.threats ?? []) : [...threatsOf(view, seat), ...dangersOf(layout, view, seat)];
}

/** The best chance and the worst danger of a seat, in a sentence each, and how many more there are. */
export function helpWords(layout: Layout, view: View, seats: Seat[], seat: number): string[] {
  const [chance] = threatsOf(view, seat);
  const [danger] = dangersOf(layout, view, seat);
  const words = chance ? [chance.chance] : [];
  if (danger) {
    const prey = danger.prey.map(
      (name) => `${kindWords(stackOf(view, name, layout.kinds).at(-1)!, layout.kinds)} on ${name}`,
    );
    const { missing, means } = danger;
    words.push(
      `${nameOf(seats, danger.seat)} threatens your ${list(prey)} from ${missing} (+)${means && `, ${means}`}.`,
    );
  }
  const marked = new Set(concerning(layout, view, seat).map(({ missing }) => missing));
  for (const named of [chance, danger]) if (named) marked.delete(named.missing);
  if (marked.size > 0) words.push(`${marked.size} more ${marked.size === 1 ? 'is' : 'are'} marked.`);
  return words;
}

/** Help about a space: "threatened by Ben", "completes rectangle c3–f6". */
export function spaceHelp({ threats = [] }: View, name: string, seats: Seat[], seat: number | null): string[] {
  const captors = threats.filter(({ prey }) => prey.includes(name)).map((threat) => nameOf(seats, threat.seat));
  const aims = threats.filter((threat) => threat.seat === seat && threat.missing === name).map(({ aim }) => aim);
  return [...(captors.length > 0 ? [`threatened by ${list([...new Set(captors)])}`] : []), ...aims];
}
