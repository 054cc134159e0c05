/** Pieces of the field seen from above: paths around their middle, tips to the right, in thousandths of an inch. */

import type { Size } from '../../pieces/solid';
import { halfBase, type Footprint, type Lengths, type Spot } from './geometry';
import { turned } from './turn';

/** A side of a piece. `normal`: its direction while the tip points to the right, z up. */
export interface Facet {
  path: string;
  normal: [x: number, y: number, z: number];
  /** The open base of a lying piece. */
  open: boolean;
}

export interface Shape {
  outline: string;
  facets: Facet[];
  ridges: string;
  mark: Spot & { radius: number };
  pips: Spot[];
  pip: number;
}

/** From the upper left, behind the field, and high. */
const LIGHT = [-0.56, 0.37, 0.74] as const;
/** The outward and upward parts of the normals of a pyramid that is 1 3/4 times as tall as wide. */
const OUT = 0.96;
const UP = 0.27;
/** The normal of a lying piece's upper side, which slopes down to the tip. */
const TOP: [number, number, number] = [0.53, 0, 0.85];
/** The offset of shadows per thousandth of height. */
const SHADE: Spot = { x: 0.46, y: -0.36 };
const HEIGHTS: Record<Size, number> = { S: 1000, M: 1375, L: 1750 };

/** From 0 in the shade to 1 in full light, for a heading in degrees. */
export function lightOn({ normal: [x, y, z] }: Facet, heading: number): number {
  const angle = (heading * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const lit = (x * c - y * s) * LIGHT[0] + (x * s + y * c) * LIGHT[1] + z * LIGHT[2];
  return Math.max(0, Math.min(1, 0.5 + 0.46 * lit));
}

export function shapeOf(size: Size, standing: boolean, lengths: Lengths): Shape {
  return standing ? upright(halfBase(size), size) : lying(halfBase(size), lengths[size], size);
}

function upright(h: number, size: Size): Shape {
  const corners: Spot[] = [
    { x: h, y: -h },
    { x: h, y: h },
    { x: -h, y: h },
    { x: -h, y: -h },
  ];
  const directions: [number, number][] = [
    [1, 0],
    [0, -1],
    [-1, 0],
    [0, 1],
  ];
  const facets = directions.map(([x, y], i): Facet => {
    const path = pathOf([corners[i]!, corners[(i + 1) % 4]!, { x: 0, y: 0 }]);
    return { path, normal: [OUT * x, OUT * y, UP], open: false };
  });
  const pip = 0.085 * h + 12;
  return {
    outline: pathOf(corners),
    facets,
    ridges: corners.map(({ x, y }) => `M0 0L${x} ${y}`).join(''),
    mark: { x: 0, y: 0, radius: 0.36 * h },
    pips: row(size).map((place) => ({ x: place * pip * 2.9, y: 0.76 * h })),
    pip,
  };
}

/** The raised edge of the base would stick out; it is drawn within the footprint. */
function lying(h: number, length: number, size: Size): Shape {
  const l = length / 2;
  const [tip, left, right]: Spot[] = [
    { x: l, y: 0 },
    { x: -l, y: -h },
    { x: -l, y: h },
  ] as [Spot, Spot, Spot];
  const x = -l + (2 * h * h) / length;
  const [upperLeft, upperRight]: Spot[] = [
    { x, y: -0.62 * h },
    { x, y: 0.62 * h },
  ] as [Spot, Spot];
  const pip = 0.085 * h + 12;
  return {
    outline: pathOf([tip, left, right]),
    facets: [
      { path: pathOf([left, right, upperRight, upperLeft]), normal: [-OUT, 0, UP], open: true },
      { path: pathOf([tip, left, upperLeft]), normal: [0, OUT, UP], open: false },
      { path: pathOf([tip, upperRight, right]), normal: [0, -OUT, UP], open: false },
      { path: pathOf([tip, upperLeft, upperRight]), normal: TOP, open: false },
    ],
    ridges: `M${at(upperLeft)}L${at(upperRight)}M${at(left)}L${at(upperLeft)}L${at(tip)}L${at(upperRight)}L${at(right)}`,
    mark: { x: x + 0.3 * (l - x), y: 0, radius: 0.27 * h },
    pips: row(size).map((place) => ({ x: (x - l) / 2, y: place * pip * 3.1 })),
    pip,
  };
}

function row(size: Size): number[] {
  return { S: [0], M: [-0.5, 0.5], L: [-1, 0, 1] }[size];
}

function at({ x, y }: Spot): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}

function pathOf(corners: Spot[]): string {
  return `M${corners.map(at).join('L')}Z`;
}

/** The outline of a footprint in a picture with y downwards. */
export function outlineOf({ corners }: Footprint, height: number): string {
  return pathOf(corners.map(({ x, y }) => ({ x, y: height - y })));
}

/** The shadow of a piece, in a picture with y downwards that is rotated afterwards. */
export function shadowOf(
  { corners }: Footprint,
  size: Size,
  standing: boolean,
  height: number,
  quarters: number,
): string {
  const shade = turned(SHADE, -quarters);
  const [tip, ...base] = corners as [Spot, ...Spot[]];
  const tops = standing
    ? [{ x: mean(corners.map(({ x }) => x)), y: mean(corners.map(({ y }) => y)), z: HEIGHTS[size] }]
    : base.map(({ x, y }) => ({ x: x + 0.15 * (tip.x - x), y: y + 0.15 * (tip.y - y), z: 1.9 * halfBase(size) }));
  const cast = tops.map(({ x, y, z }) => ({ x: x + z * shade.x, y: y + z * shade.y }));
  return pathOf(hull([...corners, ...cast]).map(({ x, y }) => ({ x, y: height - y })));
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** The convex hull of points, in counter-clockwise order. */
function hull(points: Spot[]): Spot[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: Spot[]) => {
    const found: Spot[] = [];
    for (const point of ordered) {
      while (found.length > 1 && turn(found.at(-2)!, found.at(-1)!, point) <= 0) found.pop();
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

function turn(a: Spot, b: Spot, c: Spot): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
