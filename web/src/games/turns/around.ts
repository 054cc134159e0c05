/** The board with what players have beside it around it: each place near the zone of its seat, between its points. */

import { rise, squash, type Point } from '../../pieces/projection';
import type { PictureCorner, Box } from '../../board/spaces';
import { THICKNESS, type Plan } from './board';
import type { Layout } from './wire';

export interface Arranged {
  /** In CSS pixels. */
  picture: Box;
  /** By seat. */
  pads: Box[];
}

/** Pads are in columns left and right of the board, or in rows above and below it. */
type Arrangement = 'columns' | 'rows';

interface Size {
  width: number;
  height: number;
}

const LARGE: Size = { width: 176, height: 154 };
const SMALL: Size = { width: 122, height: 104 };
const LOW: Size = { width: 122, height: 80 };
const MIN_PER_ROW = 3;
/** The factor by which smaller pads must enlarge the board. */
const MIN_GAIN = 1.06;

/** By seat: the middle of its zone on the table. */
export function zonesOf({ spaces }: Layout, plan: Plan, seats: number): Point[] {
  return Array.from({ length: seats }, (_, seat) => {
    const spots = spaces.filter(({ zone }) => zone === seat).map(({ name }) => plan.spot(name));
    const middle = (of: (spot: Point) => number) =>
      Math.round(spots.reduce((sum, spot) => sum + of(spot), 0) / (spots.length || 1));
    return { x: middle(({ x }) => x), y: middle(({ y }) => y) };
  });
}

/** The arrangement with the largest board, whose points may reach between the pads. */
export function arrange(room: Size, plan: Plan, zones: Point[]): Arranged {
  const plans = [LARGE, SMALL, LOW].map((size) => {
    const narrow = size === LARGE ? size.width : Math.min(size.width, room.width / MIN_PER_ROW);
    return best(room, { ...size, width: narrow }, plan, zones);
  });
  return plans.reduce((largest, other) => (other.picture.width > largest.picture.width * MIN_GAIN ? other : largest));
}

function best(room: Size, size: Size, plan: Plan, zones: Point[]): Arranged {
  const plans = (['columns', 'rows'] as const).map((arrangement): Arranged => {
    const pads = padBoxes(room, size, zones, arrangement);
    return { pads, picture: fit(room, plan, pads) };
  });
  return plans.reduce((largest, other) => (other.picture.width > largest.picture.width ? other : largest));
}

/** Puts each pad at the edge that is nearest to its zone, and spreads several along an edge. */
function padBoxes(room: Size, size: Size, zones: Point[], arrangement: Arrangement): Box[] {
  return shares(zones, arrangement).map(({ edge, share }) => {
    const [across, down] = arrangement === 'rows' ? [share, edge] : [edge, share];
    return { x: (room.width - size.width) * across, y: (room.height - size.height) * down, ...size };
  });
}

/** By seat: the first edge (0: left or top) or the second (1), and the position along it (0 to 1). */
function shares(zones: Point[], arrangement: Arrangement): { edge: number; share: number }[] {
  const places = zones.map(({ x, y }) => {
    const upper = y > 0 || (y === 0 && x < 0);
    const left = x < 0 || (x === 0 && upper);
    const [first, along] = arrangement === 'rows' ? [upper, x] : [left, -y];
    return { edge: first ? 0 : 1, along };
  });
  return places.map((place) => {
    const { edge, along } = place;
    const peers = places.filter((other) => other.edge === edge).sort((a, b) => a.along - b.along);
    const alone = along === 0 ? edge : Number(along > 0);
    return { edge, share: peers.length > 1 ? peers.indexOf(place) / (peers.length - 1) : alone };
  });
}

/** The place of a space's caption: in a corner of the room, or `inset` pixels above or below it. */
export interface NoteSpot {
  right: boolean;
  bottom: boolean;
  inset: number;
}

const CORNERS: PictureCorner[] = [
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

/** The place nearest to a corner that covers no pad, nor the space with this middle. */
export function noteSpot(room: Size, pads: Box[], { x, y }: Point): NoteSpot {
  const spots = CORNERS.map(({ right, bottom }) => {
    const left = right ? room.width - NOTE.width : 0;
    const beside = pads.filter((pad) => {
      const across = pad.x < left + NOTE.width && pad.x + pad.width > left;
      return across && pad.y + pad.height / 2 > room.height / 2 === bottom;
    });
    const insets = beside.map((pad) => (bottom ? room.height - pad.y : pad.y + pad.height) + GAP);
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

/** The largest place for the picture at which no pad covers the shore of a space; tiny if pads overlap. */
function fit(room: Size, { look, rows, box, place, shore }: Plan, pads: Box[]): Box {
  const maxScale = Math.max(0, Math.min(room.width / box.width, room.height / box.height));
  const places = rows.flat().map(place);
  const pictureAt = (scale: number): Box => ({
    x: (room.width - box.width * scale) / 2,
    y: (room.height - box.height * scale) / 2,
    width: box.width * scale,
    height: box.height * scale,
  });
  for (let step = SCALE_STEPS; step > 1 && !crowded(pads); step--) {
    const scale = (maxScale * step) / SCALE_STEPS;
    const picture = pictureAt(scale);
    const shores = places.map(({ x, y }) => ({
      x: picture.x + (x - shore - box.x) * scale,
      y: picture.y + (y - shore * squash(look) - box.y) * scale,
      width: 2 * shore * scale,
      height: (2 * shore * squash(look) + THICKNESS * rise(look)) * scale,
    }));
    if (!shores.some((place) => pads.some((pad) => overlap(place, pad)))) return picture;
  }
  return pictureAt(maxScale / SCALE_STEPS);
}

/** Whether pads overlap by more than rounding. */
function crowded(pads: Box[]): boolean {
  const clear = (a: Box, b: Box) => a.x + a.width <= b.x + 0.01 || a.y + a.height <= b.y + 0.01;
  return pads.some((a, i) => pads.slice(i + 1).some((b) => !clear(a, b) && !clear(b, a)));
}

function overlap(shore: Box, pad: Box): boolean {
  const middle = { x: shore.x + shore.width / 2, y: shore.y + shore.height / 2 };
  const across = Math.max(pad.x - middle.x, 0, middle.x - pad.x - pad.width) / (shore.width / 2);
  const down = Math.max(pad.y - middle.y, 0, middle.y - pad.y - pad.height) / (shore.height / 2);
  return Math.hypot(across, down) < 1;
}
