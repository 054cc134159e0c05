/** What will become of a piece where it is held: judged as the server judges a placement, for the ghost. */

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
  partingShift,
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
  /** The code of the server's fault; "fits" where it lands, "crash" where it crashes. */
  outcome: Outcome;
  piece: Footprint;
  /** Pieces that it overlaps, points at, or is sealed off by. */
  touched: FieldPiece[];
  /** Of a lying piece that overlaps nothing. */
  sight: Sight | null;
  target: FieldPiece | null;
  /** To what it points at: the gap, or along the ray; thousandths of an inch. */
  distance: number | null;
  /** How deep it overlaps, thousandths of an inch. */
  depth: number;
  /** It would land, but a call of meltdown would send it home (IH-13). */
  early: boolean;
}

const DEFENDERS_FIRST = 2;
/** So many pieces and edges may be in the way at once. */
const SHIFTS = 5;

/** The pieces of a field with what they cover. */
export class Ground {
  readonly layout: Layout;
  readonly pieces: readonly FieldPiece[];
  readonly footprints: readonly Footprint[];

  constructor(layout: Layout, pieces: readonly FieldPiece[]) {
    this.layout = layout;
    this.pieces = pieces;
    this.footprints = pieces.map((piece) => footprintOf(layout, piece));
  }

  /** The nearest place where the piece overlaps nothing and lies on the field; the pose itself if none is near. */
  settle(kind: Kind, pose: Pose, reach: number): Pose {
    let now = pose;
    for (let tries = 0; tries < SHIFTS; tries++) {
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
    const met = this.#met((other) => overlaps(other, piece));
    if (met.length > 0) return { ...nothing, ...this.#overlap(piece, met) };
    if (pose.standing) return { ...nothing, outcome: 'fits' };
    const early = this.#defenders(kind.colour) < DEFENDERS_FIRST;
    const aim = this.#aim(piece, kind.colour);
    if (early && layout.prevents) return { ...nothing, ...aim, outcome: 'too-early' };
    return { ...nothing, ...aim, early: early && aim.outcome === 'fits' };
  }

  /** Whether the piece would lie on the field and overlap nothing. */
  isFree(kind: Kind, pose: Pose): boolean {
    return this.#shift(this.#footprint(kind, pose)) === null;
  }

  #footprint(kind: Kind, pose: Pose): Footprint {
    return footprint(pose, pose.heading, kind.size, pose.standing, this.layout.lengths);
  }

  /** Back onto the field, or out of the first piece that is in the way; null where there is none. */
  #shift(piece: Footprint): Spot | null {
    const { width, height } = this.layout;
    const x = Math.max(0, -piece.left) - Math.max(0, piece.right - width);
    const y = Math.max(0, -piece.bottom) - Math.max(0, piece.top - height);
    if (x || y) return { x, y };
    return this.footprints.reduce<Spot | null>((found, other) => found ?? partingShift(other, piece), null);
  }

  #met(meets: (other: Footprint) => boolean): number[] {
    return this.footprints.flatMap((other, i) => (meets(other) ? [i] : []));
  }

  #overlap(piece: Footprint, met: number[]): Pick<Verdict, 'outcome' | 'touched' | 'depth'> {
    const { crashes, tolerance } = this.layout;
    const deeper = met.some((i) => contact(this.footprints[i]!, piece, tolerance) === 'deeper');
    return {
      outcome: deeper ? (crashes ? 'crash' : 'overlaps-deeply') : 'overlaps',
      touched: met.map((i) => this.pieces[i]!),
      depth: Math.max(...met.map((i) => depth(this.footprints[i]!, piece))),
    };
  }

  #defenders(colour: string): number {
    return this.pieces.filter((piece) => piece.standing && piece.colour === colour).length;
  }

  #aim(piece: Footprint, colour: string): Pick<Verdict, 'outcome' | 'touched' | 'sight' | 'target' | 'distance'> {
    const { width, height, along_ray } = this.layout;
    const seen = sight(piece, this.footprints, width, height);
    const found = { sight: seen, target: null, distance: null };
    if (seen.crack) return { ...found, outcome: 'points-at-crack', touched: seen.crack.map((i) => this.pieces[i]!) };
    if (seen.target === null) return { ...found, outcome: 'points-at-nothing', touched: [] };
    const [target, there] = [this.pieces[seen.target]!, this.footprints[seen.target]!];
    const near = isInRange(piece, there, along_ray);
    const distance = along_ray ? seen.length : gap(piece, there);
    return { ...found, target, distance, touched: [target], outcome: outcomeOf(target, colour, near) };
  }
}

function outcomeOf(target: FieldPiece, colour: string, near: boolean): Outcome {
  if (!target.standing) return 'points-at-attacker';
  if (target.colour === colour) return 'points-at-own-colour';
  return near ? 'fits' : 'out-of-range';
}

export function footprintOf(layout: Layout, { x, y, heading, size, standing }: FieldPiece): Footprint {
  return footprint({ x, y }, Math.round(heading * 10), size, standing, layout.lengths);
}
