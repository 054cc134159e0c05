/** What is written on the pieces of a board, and which of it the pieces in front hide from the side. */

import { DEFAULT_POSE, DIE_MARK_RADIUS, draw, drawFourSided, labelsOf, markOn, numberOn } from '../../pieces/drawing';
import type { Look, Point } from '../../pieces/projection';
import { rise, squash } from '../../pieces/projection';
import { lifted } from '../../pieces/stack';
import { GREY } from '../../pieces/colours';
import { CHIP, pile, type Figure, type Placed } from './pieces';
import type { Box } from '../../board/spaces';

/** A mark, a row of pips or a number, as circles in the picture. */
type Circle = Point & { r: number };
type Polygon = Point[];
/** A side of a piece, and the part of the picture in which it is. */
interface Side {
  polygon: Polygon;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The pieces of a space, and its middle in the picture. */
export interface Heap extends Point {
  name: string;
  figures: readonly Figure[];
}

/** Labels that are shown again, in front of all pieces: those of the hidden pieces of a space, from the top. */
export interface Badge extends Box {
  name: string;
  figures: Figure[];
}

type Heading = (direction: string, space: string) => number;

/** The lines of a badge. */
export const LINE = { width: 40, height: 16 };
const NUMBER_RADIUS = 9;
/** Lying pieces are drawn smaller. */
export const LYING_SCALE = 0.85;
/** A label and a rim around it must be in sight. */
const SEEN_PART = 1.1;
const RIM = Array.from({ length: 8 }, (_, i) => (i * Math.PI) / 4);

/** The badges of a board from the side: one for each space with a piece that is not told by what is in sight of it. */
export function badgesOf(heaps: readonly Heap[], heading: Heading, box: Box, taken: readonly Circle[] = []): Badge[] {
  const drawn = heaps.map((heap) => ({ ...heap, ...drawnOf(heap, heading) }));
  const inSight: Circle[] = [...taken];
  const hidden = drawn.flatMap((heap) => {
    const before = drawn.filter((other) => other.y > heap.y).flatMap(({ bodies }) => bodies);
    const [lost, seen] = [true, false].map((wanted) =>
      heap.layers.filter(({ circles }) => circles.some((circle) => isHidden(circle, before)) === wanted),
    ) as [Layer[], Layer[]];
    inSight.push(...seen.flatMap(({ circles }) => circles));
    return lost.length > 0 ? [{ heap, figures: lost.map(({ figure }) => figure).reverse() }] : [];
  });
  const badges: Badge[] = [];
  for (const { heap, figures } of hidden) {
    const places = placesFor(heap, figures.length, box);
    const cost = (place: Box): number =>
      inSight.filter((circle) => touches(place, circle)).length +
      3 * badges.filter((other) => meet(place, other)).length;
    const best = places.reduce((least, place) => (cost(place) < cost(least) ? place : least));
    badges.push({ name: heap.name, figures, ...best });
  }
  return badges;
}

interface Layer {
  figure: Figure;
  circles: Circle[];
}

/** The labels of a heap in the picture, and the outlines of its pieces. */
export function drawnOf({ figures, name, x, y }: Heap, heading: Heading): { layers: Layer[]; bodies: Side[] } {
  const look: Look = 'iso';
  const placed = pile(figures);
  const shift = (at: Placed) => (point: Point) => ({ x: point.x + x, y: point.y + y - lifted(at, look) });
  const bodies = placed.flatMap((at) =>
    sidesOf(at.figure, look, (way) => heading(way, name)).map((side) => bounded(side.map(shift(at)))),
  );
  const layers = placed.flatMap((at): Layer[] => {
    const circles = circlesOf(at, look, (way) => heading(way, name));
    const move = shift(at);
    return circles.length > 0 ? [{ figure: at.figure, circles: circles.map((one) => ({ ...one, ...move(one) })) }] : [];
  });
  return { layers, bodies };
}

function poseOf({ heading: way }: Figure, heading: (way: string) => number, look: Look) {
  return way === null ? DEFAULT_POSE[look] : { upright: false, heading: heading(way) };
}

/** Pieces of one kind in one pose look the same wherever they stand. */
const CACHE = new Map<string, unknown>();

function cached<T>(key: string, make: () => T): T {
  if (!CACHE.has(key)) CACHE.set(key, make());
  return CACHE.get(key) as T;
}

function keyOf({ size, heading: way }: Figure, heading: (way: string) => number): string {
  return `${size} ${way === null ? '' : heading(way)}`;
}

function circlesOf({ figure, topmost, marked }: Placed, look: Look, heading: (way: string) => number): Circle[] {
  if (figure.size) {
    if (!marked || figure.colour === GREY) return [];
    const scale = figure.heading === null ? 1 : LYING_SCALE;
    const { mark, pips, radius } = cached(`labels ${keyOf(figure, heading)} ${topmost}`, () =>
      labelsOf(figure.size!, poseOf(figure, heading, look), look, topmost),
    );
    const circles = [{ ...mark, r: radius.mark }, ...pips.map((pip) => ({ ...pip, r: radius.pip }))];
    return circles.map(({ x, y, r }) => ({ x: x * scale, y: y * scale, r: r * scale }));
  }
  if (figure.sides === 4) {
    const drawing = drawFourSided(look);
    return [
      { ...numberOn(drawing, look), r: NUMBER_RADIUS },
      { ...markOn(drawing, look), r: DIE_MARK_RADIUS },
    ];
  }
  return [{ x: 0, y: -CHIP.height * rise(look), r: NUMBER_RADIUS }];
}

/** The sides of a piece that face the viewer. */
function sidesOf(figure: Figure, look: Look, heading: (way: string) => number): Polygon[] {
  if (figure.size) {
    const scale = figure.heading === null ? 1 : LYING_SCALE;
    const { facets } = cached(`sides ${keyOf(figure, heading)}`, () =>
      draw(figure.size!, poseOf(figure, heading, look), look),
    );
    return facets
      .filter(({ near }) => near)
      .map(({ points }) => points.map(({ x, y }) => ({ x: x * scale, y: y * scale })));
  }
  if (figure.sides === 4)
    return drawFourSided(look)
      .facets.filter(({ near }) => near)
      .map(({ points }) => points);
  const [r, up] = [CHIP.radius, CHIP.height * rise(look)];
  const flat = r * squash(look);
  const arc = (from: number, dy: number) =>
    Array.from({ length: 7 }, (_, i) => {
      const angle = from + (i * Math.PI) / 6;
      return { x: r * Math.cos(angle), y: flat * Math.sin(angle) + dy };
    });
  return [[...arc(0, 0), ...arc(Math.PI, -up)]];
}

/** Whether a part of a label is behind something. */
export function isHidden({ x, y, r: radius }: Circle, bodies: readonly Side[]): boolean {
  const r = radius * SEEN_PART;
  const near = bodies.filter(
    (side) => x + r > side.left && x - r < side.right && y + r > side.top && y - r < side.bottom,
  );
  if (near.length === 0) return false;
  const points = [{ x, y }, ...RIM.map((a) => ({ x: x + r * Math.cos(a), y: y + r * Math.sin(a) }))];
  return near.some(({ polygon }) => points.some((point) => isInside(point, polygon)));
}

function bounded(polygon: Polygon): Side {
  const [xs, ys] = [polygon.map(({ x }) => x), polygon.map(({ y }) => y)];
  return { polygon, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function isInside({ x, y }: Point, polygon: Polygon): boolean {
  let inside = false;
  for (const [i, a] of polygon.entries()) {
    const b = polygon[(i + 1) % polygon.length]!;
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)) inside = !inside;
  }
  return inside;
}

/** Places for a badge near its space: beside the foot, beside the tip, over it. */
function placesFor({ x, y }: Point, lines: number, box: Box): Box[] {
  const size = { width: LINE.width, height: LINE.height * lines + 4 };
  const middles = [-26, -6, 14, -46, -66].flatMap((dy) => [44, -44, 30, -30, 58, -58, 0].map((dx) => ({ dx, dy })));
  const places = middles.map(({ dx, dy }) => ({ x: x + dx - size.width / 2, y: y + dy - size.height / 2, ...size }));
  const inside = places.filter(
    (place) =>
      place.x >= box.x && place.x + place.width <= box.x + box.width && place.y + place.height <= box.y + box.height,
  );
  return inside.length > 0 ? inside : places;
}

export function touches(place: Box, { x, y, r }: Circle): boolean {
  const dx = x - Math.max(place.x, Math.min(x, place.x + place.width));
  const dy = y - Math.max(place.y, Math.min(y, place.y + place.height));
  return dx * dx + dy * dy < r * r;
}

export function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
