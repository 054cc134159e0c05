/**
 * Pyramids on a flat field, seen from above, in integers: the formulas of the rules (IH-5, IH-10, IH-11, IH-30), so
 * that the browser always agrees with the server. Vectors in tests/vectors test both.
 *
 * Lengths and coordinates are thousandths of an inch, headings tenths of a degree counter-clockwise from +x. Numbers
 * stay below 2⁵³, so integers are exact, except in two comparisons by BigInt.
 */

import { SIZES, type Size } from '../../pieces/solid';

export interface Spot {
  x: number;
  y: number;
}

export interface Footprint {
  /** Counter-clockwise; a lying piece has its tip first. */
  corners: Spot[];
  /** 10⁶ times the cosine and the sine of the heading. */
  c: number;
  s: number;
  /** The length of a lying piece, 0 for a standing one. */
  range: number;
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** By size; thousandths of an inch. */
export type Lengths = Record<Size, number>;

export const HEADINGS = 3600;
const RADIUS = 1_000_000;
/** Half a base, in eighths of a thousandth. */
const HALF_BASES: Record<Size, number> = { S: 2250, M: 3125, L: 4000 };

// No product lies within 10⁻⁵ of a half, so rounding floats is exact.
const SIN = Array.from({ length: HEADINGS }, (_, tenths) => Math.round(RADIUS * Math.sin((tenths / 1800) * Math.PI)));
const COS = Array.from({ length: HEADINGS }, (_, tenths) => Math.round(RADIUS * Math.cos((tenths / 1800) * Math.PI)));

/** Half the base of a piece, in thousandths of an inch. */
export function halfBase(size: Size): number {
  return HALF_BASES[size] / 8;
}

export function valueOf(size: Size): number {
  return SIZES.indexOf(size) + 1;
}

export function footprint({ x, y }: Spot, heading: number, size: Size, standing: boolean, lengths: Lengths): Footprint {
  const [c, s] = [COS[heading]!, SIN[heading]!];
  const [h, l] = [HALF_BASES[size], 4 * lengths[size]];
  const frame = standing
    ? [
        [h, h],
        [-h, h],
        [-h, -h],
        [h, -h],
      ]
    : [
        [l, 0],
        [-l, h],
        [-l, -h],
      ];
  const corners = (frame as [number, number][]).map(([u, v]) => ({
    x: x + eighths(u * c - v * s),
    y: y + eighths(u * s + v * c),
  }));
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  return {
    corners,
    c,
    s,
    range: standing ? 0 : lengths[size],
    left: Math.min(...xs),
    bottom: Math.min(...ys),
    right: Math.max(...xs),
    top: Math.max(...ys),
  };
}

/** Converts eighths of a thousandth, times 10⁶, to the nearest thousandth; halves are rounded up. */
function eighths(product: number): number {
  return Math.floor((product + 4 * RADIUS) / (8 * RADIUS));
}

export function isOnField(piece: Footprint, width: number, height: number): boolean {
  return piece.left >= 0 && piece.right <= width && piece.bottom >= 0 && piece.top <= height;
}

/** The sides of a piece, from corner to corner. */
function sides({ corners }: Footprint): [Spot, Spot][] {
  return corners.map((to, i) => [corners.at(i - 1)!, to]);
}

function mayMeet(a: Footprint, b: Footprint): boolean {
  return a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top;
}

// Overlap: two pieces are apart if one of them lies outside some side of the other. Otherwise the shortest shift that
// separates them is perpendicular to a side, since the Minkowski difference of convex shapes has no other sides.

export type Contact = 'apart' | 'lesser' | 'deeper';

/** The depth of an overlap, perpendicular to a side (ex, ey): its square is over² / under2. */
interface Depth {
  over: number;
  under2: number;
  ex: number;
  ey: number;
}

/** Compares the depth of an overlap to a tolerance in millionths of an inch (IH-30). Touching pieces are apart. */
export function contact(a: Footprint, b: Footprint, tolerance: number): Contact {
  const depths = depthsOf(a, b);
  if (!depths) return 'apart';
  return depths.some((depth) => isWithin(depth, tolerance)) ? 'lesser' : 'deeper';
}

export function overlaps(a: Footprint, b: Footprint): boolean {
  return depthsOf(a, b) !== null;
}

/** The approximate depth of an overlap in thousandths of an inch; 0 if there is none. */
export function depth(a: Footprint, b: Footprint): number {
  const depths = depthsOf(a, b);
  return depths ? Math.min(...depths.map(toNumber)) : 0;
}

/** The shortest integer shift that separates a piece from another; null if they are apart. */
export function separatingShift(fixed: Footprint, piece: Footprint): Spot | null {
  const depths = depthsOf(fixed, piece);
  if (!depths) return null;
  const smallest = depths.reduce((best, next) => (toNumber(next) < toNumber(best) ? next : best));
  // The first depths are behind the sides of `fixed`, which the piece has to leave.
  const sign = depths.indexOf(smallest) < fixed.corners.length ? 1 : -1;
  const factor = (sign * smallest.over) / smallest.under2;
  return { x: outward(smallest.ey * factor), y: outward(-smallest.ex * factor) };
}

function toNumber({ over, under2 }: Depth): number {
  return over / Math.sqrt(under2);
}

/** Rounds away from 0. */
function outward(length: number): number {
  return Math.sign(length) * Math.ceil(Math.abs(length));
}

/** The depths of each piece behind each side of the other; null if they are apart. */
function depthsOf(a: Footprint, b: Footprint): Depth[] | null {
  if (!mayMeet(a, b)) return null;
  const found: Depth[] = [];
  for (const [piece, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const [p, q] of sides(piece)) {
      const [ex, ey] = [q.x - p.x, q.y - p.y];
      const over = Math.max(0, ...other.corners.map(({ x, y }) => ex * (y - p.y) - ey * (x - p.x)));
      if (over === 0) return null;
      found.push({ over, under2: ex * ex + ey * ey, ex, ey });
    }
  }
  return found;
}

/** Both sides of the comparison are up to 5·10¹⁹. */
function isWithin({ over, under2 }: Depth, tolerance: number): boolean {
  return BigInt(over) ** 2n * 1_000_000n <= BigInt(tolerance) ** 2n * BigInt(under2);
}

// The gap between two shapes that don't overlap runs from a corner of one to a side of the other.

/** Whether the gap between two pieces is strictly less than `length` (IH-11). */
export function isNear(a: Footprint, b: Footprint, length: number): boolean {
  const near = ([p, q]: [Spot, Spot], corner: Spot) => {
    const [ex, ey, wx, wy] = [q.x - p.x, q.y - p.y, corner.x - p.x, corner.y - p.y];
    const [along, across, side] = [ex * wx + ey * wy, Math.abs(ex * wy - ey * wx), ex * ex + ey * ey];
    if (along <= 0) return wx * wx + wy * wy < length * length;
    // Beyond the far end of the side, the next side is nearer. Sides are shorter than 1890: a greater `across` is too
    // far away, and the square of a smaller one is exact.
    return along < side && across < 1890 * length && across * across < length * length * side;
  };
  const facing = (piece: Footprint, other: Footprint) =>
    sides(piece).some((side) => other.corners.some((corner) => near(side, corner)));
  return facing(a, b) || facing(b, a) || overlaps(a, b);
}

/** The approximate gap between two pieces in thousandths of an inch. */
export function gap(a: Footprint, b: Footprint): number {
  if (overlaps(a, b)) return 0;
  const distance = ([p, q]: [Spot, Spot], { x, y }: Spot) => {
    const [ex, ey] = [q.x - p.x, q.y - p.y];
    const part = Math.max(0, Math.min(1, ((x - p.x) * ex + (y - p.y) * ey) / (ex * ex + ey * ey)));
    return Math.hypot(x - p.x - part * ex, y - p.y - part * ey);
  };
  const facing = (piece: Footprint, other: Footprint) =>
    sides(piece).flatMap((side) => other.corners.map((corner) => distance(side, corner)));
  return Math.min(...facing(a, b), ...facing(b, a));
}

// The ray starts at the tip of a lying piece. A place on it is a multiple of (c, s), given as a fraction.

/** Whether a line misses a piece, crosses its inside, or touches it on the line's left or right. */
type Side = 'misses' | 'crosses' | 'left' | 'right';

/** The place where a ray enters the inside of a piece: over ≥ 0, under > 0. */
interface Place {
  over: number;
  under: number;
}

/** The distance of a point to the left of the ray, times 10⁶. */
function offLine(shooter: Footprint, { x, y }: Spot): number {
  const tip = shooter.corners[0]!;
  return shooter.c * (y - tip.y) - shooter.s * (x - tip.x);
}

function sideOfLine(shooter: Footprint, piece: Footprint): Side {
  const offs = piece.corners.map((corner) => offLine(shooter, corner));
  const left = offs.some((off) => off > 0);
  if (left && offs.some((off) => off < 0)) return 'crosses';
  return offs.includes(0) ? (left ? 'left' : 'right') : 'misses';
}

/** A ray that starts inside a piece, or leaves it from its edge, doesn't enter it. */
function entry(shooter: Footprint, piece: Footprint): Place | null {
  const tip = shooter.corners[0]!;
  for (const [p, q] of sides(piece)) {
    const [before, after] = [offLine(shooter, p), offLine(shooter, q)];
    // The line enters by this side.
    if (before > 0 && after <= 0) {
      const over = (q.x - p.x) * (p.y - tip.y) - (q.y - p.y) * (p.x - tip.x);
      return over >= 0 ? { over, under: before - after } : null;
    }
  }
  return null;
}

/** Both sides of the comparison are up to 1.3·10¹⁸. */
function isBefore(a: Place, b: Place): boolean {
  return BigInt(a.over) * BigInt(b.under) < BigInt(b.over) * BigInt(a.under);
}

/** The range in which the ray's line touches a piece beside it, along the axis closer to the ray's direction. */
function touch(shooter: Footprint, piece: Footprint): [first: number, last: number] {
  const tip = shooter.corners[0]!;
  const along = piece.corners
    .filter((corner) => offLine(shooter, corner) === 0)
    .map(({ x, y }) =>
      Math.abs(shooter.c) >= Math.abs(shooter.s)
        ? Math.sign(shooter.c) * (x - tip.x)
        : Math.sign(shooter.s) * (y - tip.y),
    );
  return [Math.min(...along), Math.max(...along)];
}

/** The end of a lying piece's ray, and the piece it points at or the two pieces that block it. */
export interface Sight {
  start: Spot;
  end: Spot;
  /** The index of the piece that it points at. */
  target: number | null;
  /** The pieces that it touches on both sides at the same point (IH-10). */
  crack: [left: number, right: number] | null;
  /** The approximate distance from the tip to the end, in thousandths of an inch. */
  length: number;
}

interface Crack {
  place: number;
  pieces: [left: number, right: number];
}

/** The first place where the ray touches pieces on both sides. */
function crack(shooter: Footprint, field: readonly Footprint[], beside: readonly Side[]): Crack | null {
  let found: Crack | null = null;
  for (const [i, piece] of field.entries()) {
    if (beside[i] !== 'left') continue;
    const [leftFirst, leftLast] = touch(shooter, piece);
    for (const [j, other] of field.entries()) {
      if (beside[j] !== 'right') continue;
      const [rightFirst, rightLast] = touch(shooter, other);
      const place = Math.max(leftFirst, rightFirst, 0);
      if (place <= Math.min(leftLast, rightLast) && (!found || place < found.place)) found = { place, pieces: [i, j] };
    }
  }
  return found;
}

/**
 * The target of a lying piece among others (IH-10). They may include the piece itself: its line enters through its
 * base, behind the tip, so its ray doesn't.
 */
export function sight(shooter: Footprint, field: readonly Footprint[], width: number, height: number): Sight {
  const beside = field.map((piece) => sideOfLine(shooter, piece));
  let target: number | null = null;
  let first: Place | null = null;
  for (const [i, piece] of field.entries()) {
    const place = beside[i] === 'crosses' ? entry(shooter, piece) : null;
    if (place && (!first || isBefore(place, first))) [target, first] = [i, place];
  }
  const axis = Math.max(Math.abs(shooter.c), Math.abs(shooter.s));
  const wall = crack(shooter, field, beside);
  if (wall && (!first || wall.place * first.under < first.over * axis)) {
    return { ...beam(shooter, wall.place / axis), target: null, crack: wall.pieces };
  }
  const factor = first ? first.over / first.under : edge(shooter, width, height);
  return { ...beam(shooter, factor), target, crack: null };
}

function beam(shooter: Footprint, factor: number): Pick<Sight, 'start' | 'end' | 'length'> {
  const start = shooter.corners[0]!;
  const end = { x: start.x + factor * shooter.c, y: start.y + factor * shooter.s };
  return { start, end, length: Math.hypot(end.x - start.x, end.y - start.y) };
}

/** The distance to the edge of the field along the ray, as a multiple of (c, s). */
function edge({ corners, c, s }: Footprint, width: number, height: number): number {
  const { x, y } = corners[0]!;
  return Math.min(c ? ((c > 0 ? width : 0) - x) / c : Infinity, s ? ((s > 0 ? height : 0) - y) / s : Infinity);
}

/** Whether the ray enters a piece strictly less than its range from the tip (IH-11). */
function isNearAlongRay(shooter: Footprint, piece: Footprint): boolean {
  const place = entry(shooter, piece);
  if (!place) return false;
  // The distance is over / under · |(c, s)|, and |(c, s)|² = 10¹² + excess with |excess| < 1.5·10⁶: with
  // rest = range·under - 10⁶·over the condition becomes over·excess - 2·10⁶·rest < rest²/over. The left side is an
  // integer, so the right one may be rounded up; both are below 2·10¹³ there.
  const { over, under } = place;
  const rest = shooter.range * under - RADIUS * over;
  if (Math.abs(rest) >= over) return rest > 0;
  const excess = shooter.c ** 2 + shooter.s ** 2 - RADIUS ** 2;
  return over * excess - 2 * RADIUS * rest < Math.ceil((rest * rest) / over);
}

/** Whether the target of a lying piece is within its range, measured along the ray or across the gap (IH-11). */
export function isInRange(shooter: Footprint, target: Footprint, alongRay: boolean): boolean {
  return alongRay ? isNearAlongRay(shooter, target) : isNear(shooter, target, shooter.range);
}
