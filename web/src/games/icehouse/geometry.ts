/**
 * Pyramids on a flat field, seen from above, in whole numbers: the formulas of the rules (IH-5, IH-10, IH-11, IH-30),
 * so that what the browser says at once is what the server will say. Vectors in tests/vectors hold both to it.
 *
 * Lengths and coordinates are thousandths of an inch, headings tenths of a degree counter-clockwise from +x. Numbers
 * stay below 2⁵³, where every whole number is exact, but for two comparisons, which say so.
 */

import { SIZES, type Size } from '../../pieces/solid';

export interface Spot {
  x: number;
  y: number;
}

/** What a piece covers, and where it points. */
export interface Footprint {
  /** Counter-clockwise; those of a lying piece begin with the tip. */
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

// None of these lies within 10⁻⁵ of a half, so floats give the nearest whole numbers.
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
  const [xs, ys] = [corners.map((one) => one.x), corners.map((one) => one.y)];
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

/** From eighths of a thousandth, times 10⁶, to the nearest thousandth; halves go up. */
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

// Overlap: two pieces are apart if one of them lies outside some side of the other. Else the least shift that parts
// them is at a right angle to a side: the difference of two convex shapes has no other sides than theirs.

export type Contact = 'apart' | 'lesser' | 'deeper';

/** A depth as a fraction of whole numbers under a root, its square is over² / under2; and along which side it is. */
interface Depth {
  over: number;
  under2: number;
  ex: number;
  ey: number;
}

/** How the depth of an overlap compares to a tolerance in millionths of an inch (IH-30). Touching pieces are apart. */
export function contact(a: Footprint, b: Footprint, tolerance: number): Contact {
  const depths = reaches(a, b);
  if (!depths) return 'apart';
  return depths.some((depth) => isWithin(depth, tolerance)) ? 'lesser' : 'deeper';
}

export function overlaps(a: Footprint, b: Footprint): boolean {
  return reaches(a, b) !== null;
}

/** How deep an overlap is, for the eye, in thousandths of an inch; 0 if there is none. */
export function depth(a: Footprint, b: Footprint): number {
  const depths = reaches(a, b);
  return depths ? Math.min(...depths.map(share)) : 0;
}

/** The least whole shift that parts a piece from another; null if they are apart. */
export function partingShift(fixed: Footprint, piece: Footprint): Spot | null {
  const depths = reaches(fixed, piece);
  if (!depths) return null;
  const least = depths.reduce((one, other) => (share(other) < share(one) ? other : one));
  // The first of them are of the sides of `fixed`, out of which the piece has to go.
  const way = depths.indexOf(least) < fixed.corners.length ? 1 : -1;
  const part = (way * least.over) / least.under2;
  return { x: outward(least.ey * part), y: outward(-least.ex * part) };
}

function share({ over, under2 }: Depth): number {
  return over / Math.sqrt(under2);
}

/** The next whole number away from 0. */
function outward(length: number): number {
  return Math.sign(length) * Math.ceil(Math.abs(length));
}

/** How deep each piece reaches behind each side of the other; null if they are apart. */
function reaches(a: Footprint, b: Footprint): Depth[] | null {
  if (!mayMeet(a, b)) return null;
  const found: Depth[] = [];
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const [p, q] of sides(one)) {
      const [ex, ey] = [q.x - p.x, q.y - p.y];
      const over = Math.max(0, ...other.corners.map(({ x, y }) => ex * (y - p.y) - ey * (x - p.x)));
      if (over === 0) return null;
      found.push({ over, under2: ex * ex + ey * ey, ex, ey });
    }
  }
  return found;
}

/** Up to 5·10¹⁹ on either side: beyond 2⁵³. */
function isWithin({ over, under2 }: Depth, tolerance: number): boolean {
  return BigInt(over) ** 2n * 1_000_000n <= BigInt(tolerance) ** 2n * BigInt(under2);
}

// The gap: between two shapes that don't overlap it runs from a corner of one to a side of the other.

/** Whether the gap between two pieces is strictly less than so many thousandths (IH-11). */
export function isNear(a: Footprint, b: Footprint, length: number): boolean {
  const near = ([p, q]: [Spot, Spot], corner: Spot) => {
    const [ex, ey, wx, wy] = [q.x - p.x, q.y - p.y, corner.x - p.x, corner.y - p.y];
    const [along, across, side] = [ex * wx + ey * wy, Math.abs(ex * wy - ey * wx), ex * ex + ey * ey];
    if (along <= 0) return wx * wx + wy * wy < length * length;
    // Beyond the far end of the side, the next side sees the corner. A side is shorter than 1890: what is `across` by
    // more is too far away, and what is not has a square that is exact.
    return along < side && across < 1890 * length && across * across < length * length * side;
  };
  const facing = (one: Footprint, other: Footprint) =>
    sides(one).some((side) => other.corners.some((corner) => near(side, corner)));
  return facing(a, b) || facing(b, a) || overlaps(a, b);
}

/** The gap between two pieces, for the eye, in thousandths of an inch. */
export function gap(a: Footprint, b: Footprint): number {
  if (overlaps(a, b)) return 0;
  const far = ([p, q]: [Spot, Spot], { x, y }: Spot) => {
    const [ex, ey] = [q.x - p.x, q.y - p.y];
    const part = Math.max(0, Math.min(1, ((x - p.x) * ex + (y - p.y) * ey) / (ex * ex + ey * ey)));
    return Math.hypot(x - p.x - part * ex, y - p.y - part * ey);
  };
  const facing = (one: Footprint, other: Footprint) =>
    sides(one).flatMap((side) => other.corners.map((corner) => far(side, corner)));
  return Math.min(...facing(a, b), ...facing(b, a));
}

// The ray starts at the tip of a lying piece. A place on it is a multiple of (c, s), as a fraction.

/** What a line does to a piece: it passes, goes through its inside, or touches it on the line's left or right. */
type Side = 'misses' | 'crosses' | 'left' | 'right';

/** Where a ray enters the inside of a piece: over ≥ 0, under > 0. */
interface Place {
  over: number;
  under: number;
}

/** How far left of the ray a point lies, times 10⁶. */
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

/** A ray that starts inside of a piece, or leaves it from its rim, doesn't enter it. */
function entry(shooter: Footprint, piece: Footprint): Place | null {
  const tip = shooter.corners[0]!;
  for (const [p, q] of sides(piece)) {
    const [before, after] = [offLine(shooter, p), offLine(shooter, q)];
    // The one side by which the line comes in.
    if (before > 0 && after <= 0) {
      const over = (q.x - p.x) * (p.y - tip.y) - (q.y - p.y) * (p.x - tip.x);
      return over >= 0 ? { over, under: before - after } : null;
    }
  }
  return null;
}

/** Up to 1.3·10¹⁸ on either side: beyond 2⁵³. */
function isBefore(a: Place, b: Place): boolean {
  return BigInt(a.over) * BigInt(b.under) < BigInt(b.over) * BigInt(a.under);
}

/** From where to where the line of the ray touches a piece beside it, along the axis to which the ray is nearer. */
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

/** What the ray of a lying piece comes to: its end, what it points at there, or the two pieces that seal it. */
export interface Sight {
  start: Spot;
  end: Spot;
  /** The index of the piece that it points at. */
  target: number | null;
  /** Those that it touches on both sides at the same point (IH-10). */
  crack: [left: number, right: number] | null;
  /** From the tip to the end, in thousandths of an inch, for the eye. */
  length: number;
}

interface Crack {
  place: number;
  pieces: [left: number, right: number];
}

/** The first place where the ray touches pieces on both sides. */
function crack(shooter: Footprint, field: readonly Footprint[], beside: readonly Side[]): Crack | null {
  let found: Crack | null = null;
  for (const [i, one] of field.entries()) {
    if (beside[i] !== 'left') continue;
    const [leftFirst, leftLast] = touch(shooter, one);
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
 * What a lying piece points at among others (IH-10). It may be one of these itself: its line comes in through its base,
 * behind the tip, so its ray doesn't enter it.
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
  const share = first ? first.over / first.under : edge(shooter, width, height);
  return { ...beam(shooter, share), target, crack: null };
}

function beam(shooter: Footprint, share: number): Pick<Sight, 'start' | 'end' | 'length'> {
  const start = shooter.corners[0]!;
  const end = { x: start.x + share * shooter.c, y: start.y + share * shooter.s };
  return { start, end, length: Math.hypot(end.x - start.x, end.y - start.y) };
}

/** How far the ray goes to the edge of the field, as a multiple of its direction. */
function edge({ corners, c, s }: Footprint, width: number, height: number): number {
  const { x, y } = corners[0]!;
  return Math.min(c ? ((c > 0 ? width : 0) - x) / c : Infinity, s ? ((s > 0 ? height : 0) - y) / s : Infinity);
}

/** Whether the ray enters a piece strictly less than its range from the tip (IH-11). */
function isNearAlongRay(shooter: Footprint, piece: Footprint): boolean {
  const place = entry(shooter, piece);
  if (!place) return false;
  // The distance is over / under · |(c, s)|, and |(c, s)|² = 10¹² + excess with |excess| < 1.5·10⁶: with
  // rest = range·under - 10⁶·over the question comes down to over·excess - 2·10⁶·rest < rest²/over. On the left is a
  // whole number, so the right may be rounded up; both are below 2·10¹³ there.
  const { over, under } = place;
  const rest = shooter.range * under - RADIUS * over;
  if (Math.abs(rest) >= over) return rest > 0;
  const excess = shooter.c ** 2 + shooter.s ** 2 - RADIUS ** 2;
  return over * excess - 2 * RADIUS * rest < Math.ceil((rest * rest) / over);
}

/** Whether what a lying piece points at is within its range: along the ray, or else as the gap (IH-11). */
export function isInRange(shooter: Footprint, target: Footprint, alongRay: boolean): boolean {
  return alongRay ? isNearAlongRay(shooter, target) : isNear(shooter, target, shooter.range);
}
