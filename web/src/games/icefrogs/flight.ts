/** The animation of a move: the pyramid flies leg by leg. */

import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import { duration, leap, top, type Leg } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import { tipHeight } from '../../board/spaces';
import { between, enteringSize, isStep, pathOf, piece } from './game';
import { spot } from './board';
import type { Line, Space, View } from './wire';

export interface Flight extends Scene {
  piece: Piece;
  to: string;
  legs: Leg[];
}

const HOP_MS = 260;
const STEP_MS = 220;

/** The flight of an act, from the position before it; null if no pyramid moves. */
export function planFlight(before: Pick<View, 'stacks'>, line: Line, spaces: Space[], seats: Seat[]): Flight | null {
  const at = new Map(spaces.map((space) => [space.name, space]));
  const path = pathOf(line).flatMap((name) => at.get(name) ?? []);
  const [origin, target] = [path[0], path.at(-1)];
  if (path.length < 2 || !origin || !target) return null;
  const stackOn = (name: string) => (before.stacks[name] ?? []).map((pyramid) => piece(pyramid, seats));
  const size = enteringSize(line);
  const moved = size ? piece(`${line.seat}${size}`, seats) : stackOn(origin.name).at(-1);
  if (!moved) return null;
  /** The stack without the moving pyramid. */
  const standing = (name: string) => (name === origin.name && !size ? stackOn(name).slice(0, -1) : stackOn(name));

  const rests = path.map((space) => ({ ...spot(space), ...top([...standing(space.name), moved]) }));
  const legs = path.slice(1).map((space, i): Leg => {
    const [from, to] = [rests[i]!, rests[i + 1]!];
    const over = isStep(path[i]!, space) ? undefined : between(spaces, path[i]!, space);
    return leap(from, to, over ? tipHeight(standing(over.name)) : Math.max(from.z, to.z), over ? HOP_MS : STEP_MS);
  });
  const landings = legs.map((_, i) => duration(legs.slice(0, i + 1)));
  return { piece: moved, to: target.name, legs, milliseconds: duration(legs), times: { path: landings } };
}
