/** The path of a piece through the air, leg by leg. */

import type { Point } from '../pieces/projection';
import { layers, type Layer, type Piece } from '../pieces/stack';

/** The place of a piece, the height of its base, and its lean in a stack seen from above. */
export interface Position extends Point {
  z: number;
  lean: number;
}

export interface Leg {
  from: Position;
  to: Position;
  /** The height of the leg's middle above the straight line. */
  arc: number;
  milliseconds: number;
}

/** `air` is the height above the straight line. */
export interface Airborne extends Position {
  air: number;
}

/** The least height of an arc, and its distance from a hurdle. */
const CLEARANCE = 14;

/** A leg over something `hurdle` high. */
export function leap(from: Position, to: Position, hurdle: number, milliseconds: number): Leg {
  return { from, to, arc: Math.max(CLEARANCE, hurdle + CLEARANCE - (from.z + to.z) / 2), milliseconds };
}

/** The height and the lean of the topmost piece of a stack. */
export function top(stack: readonly Piece[]): Pick<Layer, 'z' | 'lean'> {
  const { z, lean } = layers(stack).at(-1)!;
  return { z, lean };
}

export function duration(legs: readonly Leg[]): number {
  return legs.reduce((sum, leg) => sum + leg.milliseconds, 0);
}

/** The position of a piece some time after its start; before and after its flight it rests. */
export function positionAt(legs: readonly Leg[], milliseconds: number): Airborne {
  let left = milliseconds;
  for (const leg of legs) {
    if (left < leg.milliseconds) return along(leg, Math.max(0, left) / leg.milliseconds);
    left -= leg.milliseconds;
  }
  return { ...legs.at(-1)!.to, air: 0 };
}

function along({ from, to, arc }: Leg, share: number): Airborne {
  const t = (1 - Math.cos(Math.PI * share)) / 2;
  const mix = (a: number, b: number) => a + (b - a) * t;
  const air = 4 * t * (1 - t) * arc;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    z: mix(from.z, to.z) + air,
    lean: mix(from.lean, to.lean),
    air,
  };
}

/** Something that moves in a scene: its path, and when it leaves the board, if it does. */
export interface Mover {
  legs: Leg[];
  leaves: Span | null;
}

/** A part of a scene, in milliseconds. */
export interface Span {
  start: number;
  end: number;
}

export function rest(at: Position, milliseconds: number): Leg {
  return { from: at, to: at, arc: 0, milliseconds };
}

/** The elapsed part of a span, from 0 to 1. */
export function share({ start, end }: Span, elapsed: number): number {
  return Math.min(1, Math.max(0, (elapsed - start) / (end - start)));
}

/** The progress of leaving the board, from 0 to 1 (gone). */
export function gone({ leaves }: Mover, elapsed: number): number {
  return leaves ? share(leaves, elapsed) ** 2 : 0;
}
