/** A move as it is shown: the pyramid's way through the air, leg by leg. */

import type { Point } from '../../pieces/projection';
import { layers, type Layer, type Piece } from '../../pieces/stack';
import type { Line, Seat } from '../../wire';
import { between, enteringSize, isStep, pathOf, piece, type IceFrogsView, type Space } from '../icefrogs';
import { spot, tipHeight } from './board';

/** Where a pyramid is: its place on the table, the height of its base, and its part in a stack seen from above. */
export interface Position extends Point {
  z: number;
  lean: number;
}

interface Leg {
  from: Position;
  to: Position;
  /** How high above the straight way the leg's middle is. */
  arc: number;
  milliseconds: number;
}

export interface Flight {
  piece: Piece;
  to: string;
  legs: Leg[];
}

const HOP = 260;
const STEP = 220;
/** A step lifts the piece a little, a hop clears what it leads over by as much. */
const CLEARANCE = 14;

/** The flight of a line's act, from the position before it; null where nothing flew. */
export function planFlight(before: IceFrogsView, line: Line, spaces: Space[], seats: Seat[]): Flight | null {
  const at = new Map(spaces.map((space) => [space.name, space]));
  const path = pathOf(line).flatMap((name) => at.get(name) ?? []);
  const [origin, target] = [path[0], path.at(-1)];
  if (path.length < 2 || !origin || !target) return null;
  const stackOn = (name: string) => (before.stacks[name] ?? []).map((one) => piece(one, seats));
  const size = enteringSize(line);
  const moved = size ? piece(`${line.seat}${size}`, seats) : stackOn(origin.name).at(-1);
  if (!moved) return null;
  /** What stands there while the pyramid is away. */
  const standing = (name: string) => (name === origin.name && !size ? stackOn(name).slice(0, -1) : stackOn(name));

  const rests = path.map((space) => ({ ...spot(space), ...top([...standing(space.name), moved]) }));
  const legs = path.slice(1).map((space, i): Leg => {
    const [from, to] = [rests[i]!, rests[i + 1]!];
    const over = isStep(path[i]!, space) ? undefined : between(spaces, path[i]!, space);
    const hurdle = over ? tipHeight(standing(over.name)) : Math.abs(from.z - to.z) / 2;
    return {
      from,
      to,
      arc: Math.max(CLEARANCE, hurdle + CLEARANCE - (from.z + to.z) / 2),
      milliseconds: over ? HOP : STEP,
    };
  });
  return { piece: moved, to: target.name, legs };
}

function top(stack: Piece[]): Pick<Layer, 'z' | 'lean'> {
  const { z, lean } = layers(stack).at(-1)!;
  return { z, lean };
}

export function duration(flight: Flight): number {
  return flight.legs.reduce((sum, leg) => sum + leg.milliseconds, 0);
}

/** Where the pyramid is so many milliseconds after it rose; `air` is its height over the straight way. */
export function positionAt(flight: Flight, milliseconds: number): Position & { air: number } {
  let left = milliseconds;
  for (const leg of flight.legs) {
    if (left < leg.milliseconds) return along(leg, Math.max(0, left) / leg.milliseconds);
    left -= leg.milliseconds;
  }
  return { ...flight.legs.at(-1)!.to, air: 0 };
}

function along({ from, to, arc }: Leg, share: number): Position & { air: number } {
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
