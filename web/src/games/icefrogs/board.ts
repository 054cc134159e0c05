/** The places of the spaces in the picture, and of the supplies around it. */

import { project, rise, squash, type Look, type Point } from '../../pieces/projection';
import { HEIGHT } from '../../pieces/solid';
import { nearest, type Aside, type Box } from '../../board/spaces';
import { modulo } from '../../board/turn';
import type { Layout, Space } from './wire';

/** The distance of neighbours, in 64ths of an inch: a chip of 1 1/2 inches and a little water. */
const PITCH = 104;
const ROW = (PITCH / 2) * Math.sqrt(3);

/** The radius of a space, and of the water around it. */
export const SPACE_RADIUS = 47;
export const SHORE = 64;
/** The thickness of ice and ground seen from the side. */
export const THICKNESS = 15;

/** The place of a space on the table, in 64ths of an inch. */
export function spot({ x, y }: { x: number; y: number }): Point {
  return { x: (x * PITCH) / 2, y: y * ROW };
}

export function place(space: { x: number; y: number }, look: Look): Point {
  return project({ ...spot(space), z: 0 }, look);
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

/** The space at a point of the picture. */
export function spaceAt(spaces: Space[], look: Look, point: Point): Space | null {
  return nearest(spaces, (space) => place(space, look), look, point, PITCH * 0.58);
}

/** The outline of a space, grown by a length. */
export function circle(grow: number): string {
  const r = SPACE_RADIUS + grow;
  return `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0Z`;
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

// Rotation

const STEPS = 6;

export function steps(): number {
  return STEPS;
}

/** The first turn with a seat's start space in the lowest possible row. */
export function facing(layout: Layout, seat: number): number {
  const heights = Array.from({ length: STEPS }, (_, turn) =>
    turned(layout, turn).spaces.flatMap(({ start, y }) => (start === seat ? [y] : [])),
  ).flat();
  return Math.max(0, heights.indexOf(Math.min(...heights)));
}

/** Neighbours in a row are 2 apart and rows 1, so a sixth of a turn maps integers to integers. */
export function turned(layout: Layout, turn: number): Layout {
  const middle = Math.max(...layout.spaces.map(({ y }) => y)) / 2;
  let { spaces } = layout;
  for (let i = modulo(turn, STEPS); i > 0; i--) {
    spaces = spaces.map((space) => {
      const up = space.y - middle;
      return { ...space, x: (space.x - 3 * up) / 2, y: middle + (space.x + up) / 2 };
    });
  }
  return { ...layout, spaces };
}

// Layout of the board and the supplies

export interface Plan {
  /** In CSS pixels. */
  picture: Box;
  /** By seat. */
  supplies: Box[];
}

/** Supplies are in columns left and right of the board, or in rows above and below it. */
type Arrangement = 'columns' | 'rows';

interface Size {
  width: number;
  height: number;
}

const LARGE: Size = { width: 176, height: 154 };
const SMALL: Size = { width: 122, height: 104 };
const LOW: Size = { width: 122, height: 80 };
const MIN_PER_ROW = 3;
/** The factor by which smaller supplies must enlarge the board. */
const MIN_GAIN = 1.06;

/** The arrangement with the largest board, whose points may reach between the supplies. */
export function arrange(width: number, height: number, spaces: Space[], look: Look): Plan {
  const room = { width, height };
  const plans = [LARGE, SMALL, LOW].map((size) => {
    const narrow = size === LARGE ? size.width : Math.min(size.width, width / MIN_PER_ROW);
    return best(room, { ...size, width: narrow }, spaces, look);
  });
  return plans.reduce((largest, plan) => (plan.picture.width > largest.picture.width * MIN_GAIN ? plan : largest));
}

function best(room: Size, size: Size, spaces: Space[], look: Look): Plan {
  const plans = (['columns', 'rows'] as const).map((arrangement): Plan => {
    const supplies = supplyBoxes(room, size, spaces, arrangement);
    return { supplies, picture: fit(room, spaces, look, supplies) };
  });
  return plans.reduce((largest, plan) => (plan.picture.width > largest.picture.width ? plan : largest));
}

/** Puts each supply at the edge that is nearest to its start space, and spreads several along an edge. */
function supplyBoxes(room: Size, size: Size, spaces: Space[], arrangement: Arrangement): Box[] {
  const boxes: Box[] = [];
  for (const { seat, edge, share } of shares(spaces, arrangement)) {
    const [across, down] = arrangement === 'rows' ? [share, edge] : [edge, share];
    boxes[seat] = { x: (room.width - size.width) * across, y: (room.height - size.height) * down, ...size };
  }
  return boxes;
}

/** By seat: the first edge (0: left or top) or the second (1), and the position along it (0 to 1). */
function shares(spaces: Space[], arrangement: Arrangement): { seat: number; edge: number; share: number }[] {
  const middle = Math.max(...spaces.map(({ y }) => y)) / 2;
  const starts = spaces.flatMap(({ x, y, start }) => {
    if (start === null) return [];
    const upper = y > middle || (y === middle && x < 0);
    const left = x < 0 || (x === 0 && upper);
    const [first, along] = arrangement === 'rows' ? [upper, x] : [left, middle - y];
    return [{ seat: start, edge: first ? 0 : 1, along }];
  });
  return starts.map(({ seat, edge, along }) => {
    const peers = starts.filter((start) => start.edge === edge).sort((a, b) => a.along - b.along);
    const alone = along === 0 ? edge : Number(along > 0);
    const rank = peers.findIndex((peer) => peer.seat === seat);
    return { seat, edge, share: peers.length > 1 ? rank / (peers.length - 1) : alone };
  });
}

/** The place of a space's caption: in a corner of the room, or `inset` pixels above or below it. */
export interface NoteSpot {
  right: boolean;
  bottom: boolean;
  inset: number;
}

const CORNERS: Aside[] = [
  { right: false, bottom: true },
  { right: true, bottom: true },
  { right: false, bottom: false },
  { right: true, bottom: false },
];
/** The size of a caption for a few pyramids. */
const NOTE: Size = { width: 150, height: 110 };
const GAP = 6;
/** Between a caption and the middle of its space. */
const MIN_DISTANCE = 44;

/** The place nearest to a corner that covers no supply, nor the space with this middle. */
export function noteSpot(room: Size, supplies: Box[], { x, y }: Point): NoteSpot {
  const spots = CORNERS.map(({ right, bottom }) => {
    const left = right ? room.width - NOTE.width : 0;
    const beside = supplies.filter((supply) => {
      const across = supply.x < left + NOTE.width && supply.x + supply.width > left;
      return across && supply.y + supply.height / 2 > room.height / 2 === bottom;
    });
    const insets = beside.map((supply) => (bottom ? room.height - supply.y : supply.y + supply.height) + GAP);
    const inset = Math.max(0, ...insets);
    const top = bottom ? room.height - inset - NOTE.height : inset;
    const nearest = {
      x: Math.min(Math.max(x, left), left + NOTE.width),
      y: Math.min(Math.max(y, top), top + NOTE.height),
    };
    return { right, bottom, inset, off: Math.hypot(nearest.x - x, nearest.y - y) > MIN_DISTANCE };
  });
  const [best] = [...spots].sort((a, b) => Number(b.off) - Number(a.off) || a.inset - b.inset);
  return best!;
}

const SCALE_STEPS = 60;

/** The largest place for the picture at which no supply covers a space's shore; tiny if supplies overlap. */
function fit(room: Size, spaces: Space[], look: Look, supplies: Box[]): Box {
  const box = frameOf(spaces, look);
  const maxScale = Math.max(0, Math.min(room.width / box.width, room.height / box.height));
  const places = spaces.map((space) => place(space, look));
  const pictureAt = (scale: number): Box => ({
    x: (room.width - box.width * scale) / 2,
    y: (room.height - box.height * scale) / 2,
    width: box.width * scale,
    height: box.height * scale,
  });
  for (let step = SCALE_STEPS; step > 1 && !crowded(supplies); step--) {
    const scale = (maxScale * step) / SCALE_STEPS;
    const picture = pictureAt(scale);
    const shores = places.map(({ x, y }) => ({
      x: picture.x + (x - SHORE - box.x) * scale,
      y: picture.y + (y - SHORE * squash(look) - box.y) * scale,
      width: 2 * SHORE * scale,
      height: (2 * SHORE * squash(look) + THICKNESS * rise(look)) * scale,
    }));
    if (!shores.some((shore) => supplies.some((supply) => overlap(shore, supply)))) return picture;
  }
  return pictureAt(maxScale / SCALE_STEPS);
}

/** Whether supplies overlap by more than rounding. */
function crowded(supplies: Box[]): boolean {
  const clear = (a: Box, b: Box) => a.x + a.width <= b.x + 0.01 || a.y + a.height <= b.y + 0.01;
  return supplies.some((a, i) => supplies.slice(i + 1).some((b) => !clear(a, b) && !clear(b, a)));
}

function overlap(shore: Box, supply: Box): boolean {
  const middle = { x: shore.x + shore.width / 2, y: shore.y + shore.height / 2 };
  const across = Math.max(supply.x - middle.x, 0, middle.x - supply.x - supply.width) / (shore.width / 2);
  const down = Math.max(supply.y - middle.y, 0, middle.y - supply.y - supply.height) / (shore.height / 2);
  return Math.hypot(across, down) < 1;
}
