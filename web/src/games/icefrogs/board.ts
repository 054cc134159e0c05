/** Where the spaces lie in the picture, and the supplies round it. */

import { project, rise, squash, type Look, type Point } from '../../pieces/projection';
import { BASE, HEIGHT } from '../../pieces/solid';
import { layers, lifted, type Piece } from '../../pieces/stack';
import type { Space } from '../icefrogs';

/** Between neighbours, in 64ths of an inch: a chip of 1 1/2 inches and a little water. */
const PITCH = 104;
const ROW = (PITCH / 2) * Math.sqrt(3);

/** The radius of a space, and of the water round it. */
export const SPACE_RADIUS = 47;
export const SHORE = 64;
/** How thick ice and ground look from the side. */
export const THICKNESS = 15;

/** The place of a space on the table, in 64ths of an inch. */
export function spot({ x, y }: { x: number; y: number }): Point {
  return { x: (x * PITCH) / 2, y: y * ROW };
}

export function place(space: { x: number; y: number }, look: Look): Point {
  return project({ ...spot(space), z: 0 }, look);
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The picture's frame: all water, and above it room for a large pyramid held over the last row. */
export function frameOf(spaces: Space[], look: Look): Box {
  const places = spaces.map((space) => place(space, look));
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const shore = SHORE * squash(look);
  const top = Math.min(...ys) - Math.max(shore, HEIGHT.L * rise(look) + 24);
  const left = Math.min(...xs) - SHORE;
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + SHORE - left,
    height: Math.max(...ys) + shore + THICKNESS * rise(look) - top,
  };
}

/** The space whose middle is nearest to a point of the picture; none outside the spaces. */
export function spaceAt(spaces: Space[], look: Look, point: Point): Space | null {
  const far = ({ x, y }: Point) => Math.hypot(x - point.x, (y - point.y) / squash(look));
  const [first, ...rest] = spaces;
  if (!first) return null;
  const nearest = rest.reduce((best, s) => (far(place(s, look)) < far(place(best, look)) ? s : best), first);
  return far(place(nearest, look)) <= PITCH * 0.58 ? nearest : null;
}

/** The outline of what stands on a space, for the pointer: from the base's corners to the tip. */
export function silhouette(stack: readonly Piece[], look: Look): Point[] {
  const standing = layers(stack);
  const top = standing.at(-1);
  if (!top || look === 'top') return [];
  const half = BASE[stack[0]!.size] * Math.SQRT1_2;
  const tip = lifted(top, look) + HEIGHT[top.piece.size] * rise(look);
  return [
    { x: -half, y: 0 },
    { x: 0, y: half * squash(look) },
    { x: half, y: 0 },
    { x: 0, y: -tip },
  ];
}

/** The chips of a lily pad's outline: a circle with a notch towards `angle` in degrees. */
export function lilyPath(r: number, angle: number): string {
  const at = (degrees: number, length: number) => {
    const a = (degrees * Math.PI) / 180;
    return `${(Math.cos(a) * length).toFixed(2)} ${(Math.sin(a) * length).toFixed(2)}`;
  };
  const half = 7;
  return `M${at(angle, r * 0.62)}L${at(angle + half, r)}A${r} ${r} 0 1 1 ${at(angle - half, r)}Z`;
}

/** Supplies stand beside the board or above and below it, whichever leaves the board larger. */
export type Arrangement = 'beside' | 'around';

const COLUMN = 168;
const STRIP = 100;

export function arrange(width: number, height: number, box: Box): Arrangement {
  const beside = Math.min((width - 2 * COLUMN) / box.width, height / box.height);
  const around = Math.min(width / box.width, (height - 2 * STRIP) / box.height);
  return beside > around ? 'beside' : 'around';
}

/** The seats whose supplies go to the left or top, and to the right or bottom: near their start spaces. */
export function partition(spaces: Space[], arrangement: Arrangement): [Space[], Space[]] {
  const starts = spaces.filter(({ start }) => start !== null);
  const middle = Math.max(...spaces.map(({ y }) => y)) / 2;
  const upper = ({ y }: Space) => y > middle;
  if (arrangement === 'around') {
    const across = [...starts].sort((a, b) => a.x - b.x);
    return [across.filter(upper), across.filter((space) => !upper(space))];
  }
  const left = (space: Space) => space.x < 0 || (space.x === 0 && upper(space));
  const down = [...starts].sort((a, b) => b.y - a.y);
  return [down.filter(left), down.filter((space) => !left(space))];
}
