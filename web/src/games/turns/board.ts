/** Boards of any shape in the picture: the places and outlines of spaces, and rotation. */

import { HEIGHT } from '../../pieces/solid';
import { project, rise, squash, type Look, type Point } from '../../pieces/projection';
import { nearest, type Box, type Plan as Spread, type Space as Row } from '../../board/spaces';
import { gridOf, rounded, type Grid } from '../../board/squares';
import { modulo, stepsOf, turnCorner, turnSquares, type Corner } from '../../board/turn';
import type { Layout, Space, View } from './wire';

/** The distance of the closest spaces, in 64ths of an inch. */
const PITCH = 104;
export const CIRCLE_RADIUS = 47;
/** Between neighbouring hexagons. */
const SEAM = 6;
/** The width of the ground around the spaces. */
export const SHORE = 17;
export const THICKNESS = 15;
/** Spaces within this height, in steps up the picture, are one row for arrow keys. */
const MAX_ROW_HEIGHT = 0.3;
const HEXAGON_ROW = Math.sqrt(3) / 2;
const HEXAGON_RADIUS = (PITCH - SEAM) / 2 / HEXAGON_ROW;

export interface Plan extends Spread {
  /** Far rows first; `y` is the number of a row. */
  rows: Row[][];
  box: Box;
  /** From the middle of a space to the edge of the ground. */
  shore: number;
  /** The middle of a space on the table. */
  spot: (name: string) => Point;
  spaceAt: (point: Point) => string | null;
  /** The tiles of a board of squares. */
  grid: Grid | null;
  /** The distance of neighbours, and half the length of the edge between them, relative to that. */
  pitch: number;
  edge: number;
  /** The angle of each direction on the rotated board, in degrees counter-clockwise from the right. */
  headings: Record<string, number>;
}

/** Stacks grow tall: ranks lie apart, like blocks with streets between. */
const CITY = { headroom: 200, street: 36 };

export function planOf(layout: Layout, look: Look, turn: number): Plan {
  const angle = (360 * turn) / steps(layout);
  const headings = Object.fromEntries(Object.entries(layout.headings).map(([name, at]) => [name, at + angle]));
  const board = layout.shape === 'square' ? squareBoard(layout, look, turn) : otherBoard(layout, look, angle);
  return { ...board, headings };
}

/** A plan with only these spaces, in the same places. */
export function planWith(plan: Plan, isThere: (name: string) => boolean): Plan {
  const rows = plan.rows.map((row) => row.filter(({ name }) => isThere(name))).filter((row) => row.length > 0);
  const spaceAt = (point: Point): string | null => {
    const name = plan.spaceAt(point);
    return name !== null && isThere(name) ? name : null;
  };
  return { ...plan, rows, spaceAt, grid: plan.grid && { ...plan.grid, rows } };
}

/** The layout without the spaces that are gone in a view. */
export function withoutGone(layout: Layout, { gone = [] }: View): Layout {
  if (gone.length === 0) return layout;
  const isThere = (name: string): boolean => !gone.includes(name);
  return {
    ...layout,
    spaces: layout.spaces.filter(({ name }) => isThere(name)),
    lines: layout.lines.filter((ends) => ends.every(isThere)),
  };
}

/** The angle of a direction, which can differ from space to space. */
export function headingOf(headings: Plan['headings'], direction: string, space: string): number {
  return headings[direction] ?? headings[`${direction} ${space}`] ?? 0;
}

type Unheaded = Omit<Plan, 'headings'>;

function squareBoard({ spaces, tall }: Layout, look: Look, turn: number): Unheaded {
  const turned = turnSquares(spaces, turn);
  const at = new Map(turned.map((space) => [space.name, space]));
  const grid = gridOf(turned, look, tall ? CITY : undefined);
  const spot = (name: string): Point => grid.spot(at.get(name)!);
  const pitch = grid.spot({ x: 1, y: 0 }).x;
  return { ...grid, grid, spot, pitch, shore: pitch / 2 + SHORE, edge: 0.5, spaceAt: (point) => grid.squareAt(point) };
}

function otherBoard(layout: Layout, look: Look, angle: number): Unheaded {
  const spots = new Map(turnedPoints(layout, angle).map(({ name, x, y }) => [name, { x, y }]));
  const spot = (name: string): Point => spots.get(name)!;
  const place = ({ name }: Row): Point => project({ ...spot(name), z: 0 }, look);
  const rows = inLevels(layout.spaces.map(({ name }) => ({ name, ...spot(name) })));
  const spaces = rows.flat();
  const shore = (layout.shape === 'circle' ? CIRCLE_RADIUS : HEXAGON_RADIUS) + SHORE;
  return {
    look,
    rows,
    spot,
    place,
    box: frame(spaces.map(place), look, shore),
    shore,
    shape: layout.shape === 'circle' ? circle : hexagon,
    spaceAt: (point) => nearest(spaces, place, look, point, PITCH * 0.58)?.name ?? null,
    grid: null,
    pitch: PITCH,
    edge: 0.5 / Math.sqrt(3),
  };
}

/** The places of spaces in 64ths of an inch around the middle of the board, scaled to PITCH. */
function turnedPoints({ shape, spaces }: Layout, angle: number): Row[] {
  const flat = points(shape, spaces);
  const unit = PITCH / minDistance(flat);
  return flat.map((point) => rotated(point, angle)).map(({ name, x, y }) => ({ name, x: x * unit, y: y * unit }));
}

/** Rotates a point around the middle, by degrees counter-clockwise. */
function rotated({ name, x, y }: Row, angle: number): Row {
  const a = (angle * Math.PI) / 180;
  return { name, x: x * Math.cos(a) - y * Math.sin(a), y: x * Math.sin(a) + y * Math.cos(a) };
}

/** The places of spaces in steps around the middle of the board. */
function points(shape: Layout['shape'], spaces: readonly Space[]): Row[] {
  const flat = spaces.map(({ name, x, y }) => ({ name, x, y: shape === 'hexagon' ? y * HEXAGON_ROW : y }));
  const middle = { x: midway(flat.map(({ x }) => x)), y: midway(flat.map(({ y }) => y)) };
  return flat.map(({ name, x, y }) => ({ name, x: x - middle.x, y: y - middle.y }));
}

function midway(numbers: number[]): number {
  return (Math.min(...numbers) + Math.max(...numbers)) / 2;
}

function minDistance(flat: readonly Row[]): number {
  const distances = flat.flatMap((a, i) => flat.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
  return Math.min(...distances.filter((distance) => distance > 0.01)) || 1;
}

/** Rows of spaces at about the same height, the highest first. */
function inLevels(spaces: Row[]): Row[][] {
  const rows: Row[][] = [];
  let level = Infinity;
  for (const space of [...spaces].sort((a, b) => b.y - a.y)) {
    if (level - space.y > MAX_ROW_HEIGHT * PITCH) {
      rows.push([]);
      level = space.y;
    }
    rows.at(-1)!.push(space);
  }
  return rows.map((row, i) => row.sort((a, b) => a.x - b.x).map((space) => ({ ...space, y: rows.length - 1 - i })));
}

function frame(places: Point[], look: Look, margin: number): Box {
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)];
  const [left, deep] = [Math.min(...xs) - margin, margin * squash(look)];
  const top = Math.min(...ys) - Math.max(deep, HEIGHT.L * rise(look) + 24);
  const bottom = Math.max(...ys) + deep + THICKNESS * rise(look);
  return { x: left, y: top, width: Math.max(...xs) + margin - left, height: bottom - top };
}

function circle(grow: number): string {
  return rounded(CIRCLE_RADIUS + grow, CIRCLE_RADIUS + grow);
}

function hexagon(grow: number): string {
  const r = HEXAGON_RADIUS + grow;
  const corners = [90, 30, -30, -90, -150, 150].map((degrees) => (degrees * Math.PI) / 180);
  return `M${corners.map((a) => `${(r * Math.cos(a)).toFixed(2)} ${(-r * Math.sin(a)).toFixed(2)}`).join('L')}Z`;
}

/** The space at which the pieces of a seat's supply come in: its zone, if that is a single space. */
export function gateOf({ beside, spaces }: Layout, seat: number): string | undefined {
  const [gate, ...others] = spaces.filter(({ zone }) => beside === 'supplies' && zone === seat);
  return others.length === 0 ? gate?.name : undefined;
}

// Rotation

/** The number of steps that each map the board onto itself, six at most; two if there is none. */
export function steps({ shape, spaces }: Layout): number {
  if (shape === 'square') return stepsOf(spaces);
  const flat = points(shape, spaces);
  const near = (a: Row) => (b: Row) => Math.hypot(a.x - b.x, a.y - b.y) < 0.05;
  const isSymmetric = (count: number) => flat.every((point) => flat.some(near(rotated(point, 360 / count))));
  return [6, 4].find(isSymmetric) ?? 2;
}

/**
 * The first turn with a seat's side as near as possible. A side is a zone of several spaces or with arrows; a board
 * without one looks the same to all, so that they mean the same space by "the top left".
 */
export function facing(layout: Layout, seat: number): number {
  const own = new Set(layout.spaces.flatMap(({ name, zone }) => (zone === seat ? [name] : [])));
  if (own.size < 2 && !layout.forward) return 0;
  const zone = points(layout.shape, layout.spaces).filter(({ name }) => own.has(name));
  const heights = Array.from({ length: steps(layout) }, (_, turn) => {
    const turned = zone.map((point) => rotated(point, (360 * turn) / steps(layout)));
    return Math.round(turned.reduce((sum, { y }) => sum + y, 0) * 100);
  });
  return heights.indexOf(Math.min(...heights));
}

/**
 * The corners of the seats' pads, in the order of play; that of seat `own` is near and on the left until a turn. If
 * zones have arrows, a pad is on their left.
 */
export function cornersOf(layout: Layout, players: number, own: number, turn: number): Corner[] {
  const count = steps(layout);
  const past = Math.round((modulo(turn - facing(layout, own), count) * 4) / count);
  const { forward, headings } = layout;
  if (forward) {
    return Array.from({ length: players }, (_, seat) =>
      turnCorner('sw', (headings[forward[seat]!]! - 90) / 90 + (turn * 4) / count),
    );
  }
  return Array.from({ length: players }, (_, seat) =>
    turnCorner(placesOf(players)[modulo(seat - own, players) % 4]!, past),
  );
}

function placesOf(players: number): readonly Corner[] {
  return players < 3 ? ['sw', 'ne', 'se', 'nw'] : ['sw', 'se', 'ne', 'nw'];
}
