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

/** The outline of a lily pad: a circle with a notch towards `angle` in degrees. */
export function lilyPath(r: number, angle: number): string {
  const at = (degrees: number, length: number) => {
    const a = (degrees * Math.PI) / 180;
    return `${(Math.cos(a) * length).toFixed(2)} ${(Math.sin(a) * length).toFixed(2)}`;
  };
  const half = 4.5;
  return `M${at(angle, r * 0.58)}L${at(angle + half, r)}A${r} ${r} 0 1 1 ${at(angle - half, r)}Z`;
}

// The board and the supplies in the room there is

/** Supplies stand in columns left and right of the board, or in rows above and below it. */
export type Arrangement = 'columns' | 'rows';

/** How large a seat's supply is, in CSS pixels; small where the room is narrow. */
export interface SupplySize {
  width: number;
  height: number;
}

const NARROW = 620;

export function supplySize(width: number): SupplySize {
  return width < NARROW ? { width: 122, height: 104 } : { width: 184, height: 158 };
}

export interface Plan {
  arrangement: Arrangement;
  /** The start spaces of the seats whose supplies go to the first column or row, in order, and to the second. */
  sides: [Space[], Space[]];
  /** Where the picture lies, in CSS pixels. */
  picture: Box;
}

/** The arrangement that leaves the board largest: its points reach between the supplies. */
export function arrange(width: number, height: number, spaces: Space[], look: Look): Plan {
  const box = frameOf(spaces, look);
  const plans = (['columns', 'rows'] as const).map((arrangement): Plan => {
    const sides = partition(spaces, arrangement);
    const supplies = supplyBoxes(width, height, sides, arrangement);
    return { arrangement, sides, picture: fit(width, height, box, spaces, look, supplies) };
  });
  return plans.reduce((best, plan) => (plan.picture.width > best.picture.width ? plan : best));
}

/** Supplies go near their start spaces. */
function partition(spaces: Space[], arrangement: Arrangement): [Space[], Space[]] {
  const starts = spaces.filter(({ start }) => start !== null);
  const middle = Math.max(...spaces.map(({ y }) => y)) / 2;
  const upper = ({ y }: Space) => y > middle;
  if (arrangement === 'rows') {
    const across = [...starts].sort((a, b) => a.x - b.x);
    return [across.filter(upper), across.filter((space) => !upper(space))];
  }
  const left = (space: Space) => space.x < 0 || (space.x === 0 && upper(space));
  const down = [...starts].sort((a, b) => b.y - a.y);
  return [down.filter(left), down.filter((space) => !left(space))];
}

/** One alone goes to the first column's top or the second's bottom; more are spread from end to end. */
function supplyBoxes(width: number, height: number, sides: [Space[], Space[]], arrangement: Arrangement): Box[] {
  const size = supplySize(width);
  const room = arrangement === 'rows' ? width - size.width : height - size.height;
  return sides.flatMap((side, second) =>
    side.map((_, i) => {
      const share = side.length === 1 ? second : i / (side.length - 1);
      const across = arrangement === 'rows' ? room * share : (width - size.width) * second;
      const down = arrangement === 'rows' ? (height - size.height) * second : room * share;
      return { x: across, y: down, ...size };
    }),
  );
}

const FINENESS = 60;

/** The largest place for the picture in which no space's shore lies under a supply. */
function fit(width: number, height: number, box: Box, spaces: Space[], look: Look, supplies: Box[]): Box {
  const most = Math.max(0, Math.min(width / box.width, height / box.height));
  const places = spaces.map((space) => place(space, look));
  const reach = { x: SHORE, y: SHORE * squash(look) + (THICKNESS * rise(look)) / 2 };
  for (let step = FINENESS; ; step--) {
    const scale = (most * step) / FINENESS;
    const left = (width - box.width * scale) / 2;
    const top = (height - box.height * scale) / 2;
    const covered = (at: Point) => {
      const x = left + (at.x - box.x) * scale;
      const y = top + (at.y - box.y) * scale;
      return supplies.some((supply) => {
        const dx = Math.max(supply.x - x, 0, x - supply.x - supply.width);
        const dy = Math.max(supply.y - y, 0, y - supply.y - supply.height);
        return Math.hypot(dx / reach.x, dy / reach.y) < scale;
      });
    };
    if (step === 1 || !places.some(covered)) {
      return { x: left, y: top, width: box.width * scale, height: box.height * scale };
    }
  }
}
