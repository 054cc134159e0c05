/** Proposed poses for the piece in hand: where it appears, attacks on a target, free places to stand. */

import type { Kind, Pose } from './acts';
import type { Colour, FieldPiece } from './wire';
import { halfBase, HEADINGS, valueOf } from './geometry';
import type { Ground } from './placing';
import { attackersOf, excess } from './words';

/** Between the headings of attacks on a target, in tenths of a degree. */
const HEADING_STEP = 150;
/** Gaps between an attacker and its target, relative to the attacker's range. */
const GAPS = [0.06, 0.3, 0.6, 0.9];
/** Between places to stand, in thousandths of an inch. */
const GRID_STEP = 1500;
/** Between rings of places around a spot, in thousandths of an inch. */
const RING_STEP = 250;
const PLACES_PER_RING = 16;

/** The nearest pose with the same heading and no overlap; the same pose if there is none. */
export function freePlace(ground: Ground, kind: Kind, from: Pose): Pose {
  const { width, height } = ground.layout;
  for (let ring = 0; ring * RING_STEP < width + height; ring++) {
    for (let place = 0; place < (ring === 0 ? 1 : PLACES_PER_RING); place++) {
      const angle = (place * 2 * Math.PI) / PLACES_PER_RING;
      const x = Math.round(from.x + ring * RING_STEP * Math.cos(angle));
      const y = Math.round(from.y + ring * RING_STEP * Math.sin(angle));
      if (ground.isFree(kind, { ...from, x, y })) return { ...from, x, y };
    }
  }
  return from;
}

/** The possible targets of a piece, the most useful first, and then the largest. */
export function targetsFor({ pieces }: Ground, kind: Kind, own: Colour | null): FieldPiece[] {
  const rank = (target: FieldPiece) => rankOf(target, kind, own, pieces);
  return pieces
    .filter(({ standing, colour }) => standing && colour !== kind.colour)
    .sort((a, b) => rank(a) - rank(b) || valueOf(b.size) - valueOf(a.size));
}

/** Targets that the piece ices come first, then those under attack, free ones, iced ones, and the player's own. */
function rankOf(target: FieldPiece, kind: Kind, own: Colour | null, pieces: readonly FieldPiece[]): number {
  if (target.colour === own) return 4;
  if (target.iced) return 3;
  if (excess(target, pieces) + valueOf(kind.size) > 0) return 0;
  return attackersOf(target, pieces).length > 0 ? 1 : 2;
}

/** An attack for each heading that is possible: the nearest first, and then the one with the least turn. */
export function attacksOn(ground: Ground, kind: Kind, target: FieldPiece, from: Pose): Pose[] {
  const headings = Array.from({ length: HEADINGS / HEADING_STEP }, (_, i) => i * HEADING_STEP);
  const turns = (heading: number) => Math.abs(((heading - from.heading + 5400) % HEADINGS) - 1800);
  return headings
    .sort((a, b) => turns(a) - turns(b))
    .flatMap((heading) => {
      const rank = GAPS.findIndex((gap) => hits(aimed(ground, kind, target, heading, gap)));
      return rank < 0 ? [] : [{ rank, pose: aimed(ground, kind, target, heading, GAPS[rank]!) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ pose }) => pose);

  function hits(pose: Pose): boolean {
    const { outcome, target: hit } = ground.judge(kind, pose);
    return outcome === 'fits' && hit?.id === target.id;
  }
}

function aimed(ground: Ground, kind: Kind, target: FieldPiece, heading: number, gap: number): Pose {
  const length = ground.layout.lengths[kind.size];
  const distance = length / 2 + halfBase(target.size) * 1.1 + gap * length;
  const angle = (heading * Math.PI) / 1800;
  return {
    x: Math.round(target.x - distance * Math.cos(angle)),
    y: Math.round(target.y - distance * Math.sin(angle)),
    heading,
    standing: false,
  };
}

/** Free places on a grid, the nearest first. */
export function placesToStand(ground: Ground, kind: Kind, from: Pose): Pose[] {
  const { width, height } = ground.layout;
  const edge = halfBase(kind.size);
  const steps = (side: number) => {
    const count = Math.max(1, Math.floor((side - 2 * edge) / GRID_STEP));
    return Array.from({ length: count + 1 }, (_, i) => Math.round(edge + (i * (side - 2 * edge)) / count));
  };
  const distance = ({ x, y }: Pose) => Math.hypot(x - from.x, y - from.y);
  return steps(width)
    .flatMap((x) => steps(height).map((y): Pose => ({ x, y, heading: 0, standing: true })))
    .filter((pose) => ground.judge(kind, pose).outcome === 'fits')
    .sort((a, b) => distance(a) - distance(b));
}
