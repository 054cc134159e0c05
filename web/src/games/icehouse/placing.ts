/** The verdict on the piece in hand, by the same rules as on the server. */

import type { Kind, Pose } from './acts';
import type { FieldPiece, Layout } from './wire';
import {
  contact,
  depth,
  footprint,
  gap,
  isInRange,
  isOnField,
  overlaps,
  separatingShift,
  sight,
  type Footprint,
  type Sight,
  type Spot,
} from './geometry';

export type Outcome =
  | 'fits'
  | 'crash'
  | 'overlaps-deeply'
  | 'overlaps'
  | 'off-field'
  | 'too-early'
  | 'points-at-nothing'
  | 'points-at-crack'
  | 'points-at-attacker'
  | 'points-at-own-colour'
  | 'out-of-range';

export interface Verdict {
  /** The code of the server's fault; "fits" if it lands, "crash" if it crashes. */
  outcome: Outcome;
  piece: Footprint;
  /** Pieces that it overlaps or points at, or that block its ray. */
  touched: FieldPiece[];
  /** Of a lying piece that overlaps nothing. */
  sight: Sight | null;
  target: FieldPiece | null;
  /** To its target, across the gap or along the ray, in thousandths of an inch. */
  distance: number | null;
  /** Of its overlap, in thousandths of an inch. */
  depth: number;
  /** It fits, but a call of meltdown would send it home (IH-13). */
  early: boolean;
}

const MIN_DEFENDERS = 2;
const MAX_SHIFTS = 5;

/** The pieces of a field with their footprints. */
export class Ground {
  readonly layout: Layout;
  readonly pieces: readonly FieldPiece[];
  readonly footprints: readonly Footprint[];

  constructor(layout: Layout, pieces: readonly FieldPiece[]) {
    this.layout = layout;
    this.pieces = pieces;
    this.footprints = pieces.map((piece) => footprintOf(layout, piece));
  }

  /** The nearest pose on the field without overlaps; the same pose if there is none within reach. */
  settle(kind: Kind, pose: Pose, reach: number): Pose {
    let now = pose;
    for (let tries = 0; tries < MAX_SHIFTS; tries++) {
      const shift = this.#shift(this.#footprint(kind, now));
      if (!shift) return now;
      now = { ...now, x: now.x + shift.x, y: now.y + shift.y };
      if (Math.hypot(now.x - pose.x, now.y - pose.y) > reach) return pose;
    }
    return pose;
  }

  judge(kind: Kind, pose: Pose): Verdict {
    const { layout } = this;
    const piece = this.#footprint(kind, pose);
    const nothing = { piece, touched: [], sight: null, target: null, distance: null, depth: 0, early: false };
    if (!isOnField(piece, layout.width, layout.height)) return { ...nothing, outcome: 'off-field' };
    const hits = this.footprints.flatMap((other, i) => (overlaps(other, piece) ? [i] : []));
    if (hits.length > 0) return { ...nothing, ...this.#overlap(piece, hits) };
    if (pose.standing) return { ...nothing, outcome: 'fits' };
    const early = this.isEarly(kind.colour);
    const aim = this.#aim(piece, kind.colour);
    if (early && layout.prevents) return { ...nothing, ...aim, outcome: 'too-early' };
    return { ...nothing, ...aim, early: early && aim.outcome === 'fits' };
  }

  /** Whether the piece would be on the field and overlap nothing. */
  isFree(kind: Kind, pose: Pose): boolean {
    return this.#shift(this.#footprint(kind, pose)) === null;
  }

  /** Whether a colour still needs defenders on the field before it may attack (IH-13). */
  isEarly(colour: string): boolean {
    return this.pieces.filter((piece) => piece.standing && piece.colour === colour).length < MIN_DEFENDERS;
  }

  #footprint(kind: Kind, pose: Pose): Footprint {
    return footprint(pose, pose.heading, kind.size, pose.standing, this.layout.lengths);
  }

  /** The shift back onto the field, or out of the first piece in the way; null if none is needed. */
  #shift(piece: Footprint): Spot | null {
    const { width, height } = this.layout;
    const x = Math.max(0, -piece.left) - Math.max(0, piece.right - width);
    const y = Math.max(0, -piece.bottom) - Math.max(0, piece.top - height);
    if (x || y) return { x, y };
    return this.footprints.reduce<Spot | null>((found, other) => found ?? separatingShift(other, piece), null);
  }

  #overlap(piece: Footprint, hits: number[]): Pick<Verdict, 'outcome' | 'touched' | 'depth'> {
    const { crashes, tolerance } = this.layout;
    const deeper = hits.some((i) => contact(this.footprints[i]!, piece, tolerance) === 'deeper');
    return {
      outcome: deeper ? (crashes ? 'crash' : 'overlaps-deeply') : 'overlaps',
      touched: hits.map((i) => this.pieces[i]!),
      depth: Math.max(...hits.map((i) => depth(this.footprints[i]!, piece))),
    };
  }

  #aim(piece: Footprint, colour: string): Pick<Verdict, 'outcome' | 'touched' | 'sight' | 'target' | 'distance'> {
    const { width, height, along_ray } = this.layout;
    const ray = sight(piece, this.footprints, width, height);
    const found = { sight: ray, target: null, distance: null };
    if (ray.crack) return { ...found, outcome: 'points-at-crack', touched: ray.crack.map((i) => this.pieces[i]!) };
    if (ray.target === null) return { ...found, outcome: 'points-at-nothing', touched: [] };
    const [target, area] = [this.pieces[ray.target]!, this.footprints[ray.target]!];
    const inRange = isInRange(piece, area, along_ray);
    const distance = along_ray ? ray.length : gap(piece, area);
    return { ...found, target, distance, touched: [target], outcome: outcomeOf(target, colour, inRange) };
  }
}

function outcomeOf(target: FieldPiece, colour: string, inRange: boolean): Outcome {
  if (!target.standing) return 'points-at-attacker';
  if (target.colour === colour) return 'points-at-own-colour';
  return inRange ? 'fits' : 'out-of-range';
}

export function footprintOf(layout: Layout, { x, y, heading, size, standing }: FieldPiece): Footprint {
  return footprint({ x, y }, Math.round(heading * 10), size, standing, layout.lengths);
}
