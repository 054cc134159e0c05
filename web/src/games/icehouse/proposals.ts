/** Places that a piece in hand could go to: where it is first seen, attacks on a target, free places to stand. */

import type { Kind, Pose } from './acts';
import type { Colour, FieldPiece } from './wire';
import { halfBase, HEADINGS, valueOf } from './geometry';
import type { Ground } from './placing';
import { attackersOf, excess } from './words';

/** Between the ways from which a target is attacked, in tenths of a degree. */
const WAY = 150;
/** How far off a lying piece is put, as parts of its range; where it fits, the nearest is taken. */
const PARTS = [0.06, 0.3, 0.6, 0.9];
/** Between places to stand, in thousandths of an inch. */
const RASTER = 1500;

/** Between rings of places round where somebody looks, thousandths of an inch; and how many places each has. */
const RING = 250;
const PLACES = 16;

/** The nearest place where the piece would overlap nothing, turned as it is; the pose itself where there is none. */
export function freePlace(ground: Ground, kind: Kind, from: Pose): Pose {
  const { width, height } = ground.layout;
  for (let ring = 0; ring * RING < width + height; ring++) {
    for (let place = 0; place < (ring === 0 ? 1 : PLACES); place++) {
      const angle = (place * 2 * Math.PI) / PLACES;
      const x = Math.round(from.x + ring * RING * Math.cos(angle));
      const y = Math.round(from.y + ring * RING * Math.sin(angle));
      if (ground.isFree(kind, { ...from, x, y })) return { ...from, x, y };
    }
  }
  return from;
}

/** What a piece could be pointed at, the most useful first, and of equal use the largest. */
export function targetsFor({ pieces }: Ground, kind: Kind, own: Colour | null): FieldPiece[] {
  const rank = (target: FieldPiece) => rankOf(target, kind, own, pieces);
  return pieces
    .filter(({ standing, colour }) => standing && colour !== kind.colour)
    .sort((a, b) => rank(a) - rank(b) || valueOf(b.size) - valueOf(a.size));
}

/** What the piece ices comes first, then what is under attack, what is not, what is iced already, and one's own. */
function rankOf(target: FieldPiece, kind: Kind, own: Colour | null, pieces: readonly FieldPiece[]): number {
  if (target.colour === own) return 4;
  if (target.iced) return 3;
  if (excess(target, pieces) + valueOf(kind.size) > 0) return 0;
  return attackersOf(target, pieces).length > 0 ? 1 : 2;
}

/** One attack from each way that is free: the nearest first, and of those the one that turns the piece least. */
export function attacksOn(ground: Ground, kind: Kind, target: FieldPiece, from: Pose): Pose[] {
  const ways = Array.from({ length: HEADINGS / WAY }, (_, i) => i * WAY);
  const turns = (heading: number) => Math.abs(((heading - from.heading + 5400) % HEADINGS) - 1800);
  return ways
    .sort((a, b) => turns(a) - turns(b))
    .flatMap((heading) => {
      const part = PARTS.findIndex((one) => hits(aimed(ground, kind, target, heading, one)));
      return part < 0 ? [] : [{ part, pose: aimed(ground, kind, target, heading, PARTS[part]!) }];
    })
    .sort((a, b) => a.part - b.part)
    .map(({ pose }) => pose);

  function hits(pose: Pose): boolean {
    const { outcome, target: met } = ground.judge(kind, pose);
    return outcome === 'fits' && met?.id === target.id;
  }
}

function aimed(ground: Ground, kind: Kind, target: FieldPiece, heading: number, part: number): Pose {
  const length = ground.layout.lengths[kind.size];
  const back = length / 2 + halfBase(target.size) * 1.1 + part * length;
  const angle = (heading * Math.PI) / 1800;
  return {
    x: Math.round(target.x - back * Math.cos(angle)),
    y: Math.round(target.y - back * Math.sin(angle)),
    heading,
    standing: false,
  };
}

/** Free places on a raster, the nearest first. */
export function placesToStand(ground: Ground, kind: Kind, from: Pose): Pose[] {
  const { width, height } = ground.layout;
  const edge = halfBase(kind.size);
  const steps = (side: number) => {
    const most = Math.max(1, Math.floor((side - 2 * edge) / RASTER));
    return Array.from({ length: most + 1 }, (_, i) => Math.round(edge + (i * (side - 2 * edge)) / most));
  };
  const far = ({ x, y }: Pose) => Math.hypot(x - from.x, y - from.y);
  return steps(width)
    .flatMap((x) => steps(height).map((y): Pose => ({ x, y, heading: 0, standing: true })))
    .filter((pose) => ground.judge(kind, pose).outcome === 'fits')
    .sort((a, b) => far(a) - far(b));
}
