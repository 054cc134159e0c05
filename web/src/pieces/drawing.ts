/** A pyramid, or another solid with a tip, as polygons to paint: pure data, drawn by Glass.svelte. */

import { project, TO_VIEWER, type Look, type Point } from './projection';
import { dot, PIPS, solid, tetrahedron, type Face, type Pose, type Size, type Vec3 } from './solid';

/** One side in the picture. Its gradient runs from `tip` to `foot`, the middle of its base edge. */
export interface Facet {
  points: Point[];
  tip: Point;
  foot: Point;
  /** 0 in the shade to 1 in full light. */
  light: number;
  /** Faces the viewer; the others show through the glass. */
  near: boolean;
  /** The open base. */
  open: boolean;
}

/** `rim`: outline; `ridge`: between two near facets; `inner`: seen through the glass. */
export interface Edge {
  from: Point;
  to: Point;
  kind: 'rim' | 'ridge' | 'inner';
}

/** The place of marks on a facet: the middle of its base edge, unit vectors along that edge and up, and its height. */
export interface Place {
  foot: Point;
  along: Point;
  up: Point;
  height: number;
}

export interface Drawing {
  /** Far facets first. */
  facets: Facet[];
  edges: Edge[];
  /** A streak of light on the brightest facet. */
  glint: Point[];
  /** The places of the seat's mark and of the pips; the same if a single facet faces the viewer most. */
  mark: Place;
  pips: Place;
}

/** The direction to the light: upper left, behind the board and high. */
const LIGHT: Vec3 = { x: -0.56, y: 0.37, z: 0.74 };

/** Upright, with a corner in front; from above, with a side in front. */
export const DEFAULT_POSE: Record<Look, Pose> = {
  iso: { upright: true, heading: 45 },
  top: { upright: true, heading: 0 },
};

export function draw(size: Size, pose: Pose, look: Look): Drawing {
  return drawFaces(solid(size, pose), look);
}

/** Draws any solid whose sides meet in a tip. */
export function drawFaces(faces: Face[], look: Look): Drawing {
  const facets = faces.map((face) => facet(face, look));
  const [mark, pips] = places(faces, look);
  return {
    facets: [...facets].sort((a, b) => Number(a.near) - Number(b.near)),
    edges: edges(faces, look),
    glint: glint(facets),
    mark,
    pips,
  };
}

const DIE_EDGE = 66;
/** From the side, turned slightly to show two sides. */
const DIE_HEADING: Record<Look, number> = { iso: -22, top: 0 };

/** A die of four sides; `turned`: its rotation in degrees. */
export function drawFourSided(look: Look, turned = 0): Drawing {
  return drawFaces(tetrahedron(DIE_EDGE, DIE_HEADING[look] + turned), look);
}

/** The middle of its number: on the facet that faces the viewer; from above, on the tip. */
export function numberOn({ mark }: Drawing, look: Look): Point {
  return look === 'top' ? { x: 0, y: -5 } : onFacet(mark, 0, mark.height * 0.48);
}

export const DIE_MARK_RADIUS = 3.2;

/** The middle of the mark of its owner, below the number. */
export function markOn({ mark }: Drawing, look: Look): Point {
  return onFacet(mark, 0, look === 'top' ? 4.6 : mark.height * 0.12);
}

function isNear(face: Face, look: Look): boolean {
  return dot(face.normal, TO_VIEWER[look]) > 1e-9;
}

function facet(face: Face, look: Look): Facet {
  const points = face.corners.map((corner) => project(corner, look));
  return {
    points,
    tip: face.open ? between(points[2]!, points[3]!, 0.5) : points[2]!,
    foot: between(points[0]!, points[1]!, 0.5),
    light: Math.max(0, Math.min(1, 0.5 + 0.46 * dot(face.normal, LIGHT))),
    near: isNear(face, look),
    open: face.open,
  };
}

function edges(faces: Face[], look: Look): Edge[] {
  const found = new Map<string, { from: Vec3; to: Vec3; near: number }>();
  for (const face of faces) {
    for (const [i, from] of face.corners.entries()) {
      const to = face.corners[(i + 1) % face.corners.length]!;
      const key = [from, to]
        .map(({ x, y, z }) => `${x.toFixed(3)},${y.toFixed(3)},${z.toFixed(3)}`)
        .sort()
        .join(' ');
      const edge = found.get(key) ?? { from, to, near: 0 };
      edge.near += Number(isNear(face, look));
      found.set(key, edge);
    }
  }
  const kinds = ['inner', 'rim', 'ridge'] as const;
  return [...found.values()].map(({ from, to, near }) => ({
    from: project(from, look),
    to: project(to, look),
    kind: kinds[near]!,
  }));
}

/** Places on the faces that are turned most to the viewer and lowest in the picture, the left one for the mark. */
function places(faces: Face[], look: Look): [Place, Place] {
  const facing = best((face) => dot(face.normal, TO_VIEWER[look]), faces).map((face) => facet(face, look));
  const lowest = best(({ foot }) => foot.y, facing);
  const across = lowest.sort((a, b) => a.foot.x - b.foot.x).map(placeOf);
  return [across[0]!, across.at(-1)!];
}

function best<T>(score: (item: T) => number, items: T[]): T[] {
  const max = Math.max(...items.map(score));
  return items.filter((item) => score(item) > max - 1e-6);
}

function placeOf({ points, foot, tip }: Facet): Place {
  const [a, b] = points as [Point, Point];
  const height = Math.hypot(tip.x - foot.x, tip.y - foot.y);
  return { foot, along: a.x < b.x ? unit(a, b) : unit(b, a), up: unit(foot, tip), height };
}

/** The point of a facet at these distances from the middle of its base edge. */
export function onFacet(place: Place, along: number, up: number): Point {
  return {
    x: place.foot.x + along * place.along.x + up * place.up.x,
    y: place.foot.y + along * place.along.y + up * place.up.y,
  };
}

/** What is written on a pyramid: the middles of its owner's mark and of its pips, and their radii. */
export interface Labels {
  mark: Point;
  pips: Point[];
  radius: { mark: number; pip: number };
  /** The mark is on the tip. */
  crowned: boolean;
}

/** From above, the sides are narrow and need small labels; a tip on which nothing lies has room for a larger mark. */
export function labelsOf(size: Size, pose: Pose, look: Look, topmost = true): Labels {
  const { mark, pips } = draw(size, pose, look);
  const flat = look === 'top' && pose.upright;
  const crowned = flat && topmost;
  const radius = flat ? { mark: crowned ? 6.4 : 2.9, pip: crowned ? 2.7 : 1.9 } : { mark: 5.4, pip: 2.6 };
  const gap = radius.pip * 2.75;
  const row = Array.from({ length: PIPS[size] }, (_, i) => (i - (PIPS[size] - 1) / 2) * gap);
  const edge = crowned ? 5.2 : flat ? 4.1 : 7.6;
  /** From above, without the tip, mark and pips share one side. */
  const aside = flat && !crowned ? 7 : 0;
  const lying = !pose.upright;
  return {
    mark: crowned ? { x: 0, y: 0 } : onFacet(mark, aside && row[0]! - aside, lying ? mark.height * 0.17 : edge),
    pips: row.map((along) => onFacet(pips, along + aside, lying ? pips.height * 0.4 : edge)),
    radius,
    crowned,
  };
}

function glint(facets: Facet[]): Point[] {
  const lit = facets.filter(({ near, open }) => near && !open);
  const [{ points }] = best(({ light }) => light, lit) as [Facet];
  const [a, b, tip] = points as [Point, Point, Point];
  return [between(a, b, 0.16), between(a, b, 0.3), between(between(a, b, 0.3), tip, 0.94), between(a, tip, 0.94)];
}

function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

function unit(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}
