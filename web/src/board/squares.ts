/** Boards of squares in the picture. */

import { project, rise, squash, type Look, type Point } from '../pieces/projection';
import { HEIGHT } from '../pieces/solid';
import { inRows, nearest, type Box, type Plan, type Space } from './spaces';

/** The distance of squares in 64ths of an inch; from the side, corners point forward and need more room. */
const PITCH: Record<Look, number> = { iso: 98, top: 80 };
/** The gap between two tiles. */
const SEAM = 5;
/** The width of the border, with the letters and numbers of files and ranks. */
export const RIM = 30;
/** The thickness of tiles and ground seen from the side. */
export const THICKNESS = 15;

export interface Build {
  /** Room above the last row, seen from the side. */
  headroom: number;
  /** Extra distance between ranks, seen from the side, for a view between tall pieces. */
  street: number;
}

/** With room for a large pyramid held over the last row. */
const DEFAULT_BUILD: Build = { headroom: HEIGHT.L + 24, street: 0 };

export interface Grid extends Plan {
  /** Far rows first. */
  rows: Space[][];
  /** The picture's frame. */
  box: Box;
  /** Half the side of a tile, and the extra distance between ranks. */
  half: number;
  street: number;
  /** The middle of a square on the table; squares are given by file and rank, counted from 0. */
  spot: (square: Point) => Point;
  /** The middle of a square in the picture. */
  place: (square: Point) => Point;
  /** The square at a point of the picture. */
  squareAt: (point: Point) => string | null;
}

export function gridOf(squares: readonly Space[], look: Look, { headroom, street }: Build = DEFAULT_BUILD): Grid {
  const pitch = PITCH[look];
  const apart = look === 'iso' ? street : 0;
  const half = (pitch - SEAM) / 2;
  const spot = ({ x, y }: Point): Point => ({ x: x * pitch, y: y * (pitch + apart) });
  const place = (square: Point): Point => project({ ...spot(square), z: 0 }, look);
  return {
    look,
    rows: inRows(squares),
    box: frameOf(squares.map(place), pitch / 2 + RIM, apart / 2, headroom, look),
    half,
    street: apart,
    spot,
    place,
    shape: (grow) => rounded(half + grow, 9 + Math.max(-8, grow)),
    squareAt: (point) => nearest(squares, place, look, point, (pitch + apart) * 0.6)?.name ?? null,
  };
}

function frameOf(places: Point[], margin: number, deep: number, headroom: number, look: Look): Box {
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  const left = Math.min(...xs) - margin;
  const edge = (margin + deep) * squash(look);
  const top = Math.min(...ys) - Math.max(edge, headroom * rise(look));
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + margin - left,
    height: Math.max(...ys) + edge + THICKNESS * rise(look) - top,
  };
}

/** A square with round corners, as an SVG path seen from above; `deep`: extra length to the back and to the front. */
export function rounded(half: number, r: number, deep = 0): string {
  const across = half - r;
  const along = across + deep;
  return (
    `M${-across} ${-half - deep}H${across}A${r} ${r} 0 0 1 ${half} ${-along}V${along}` +
    `A${r} ${r} 0 0 1 ${across} ${half + deep}H${-across}A${r} ${r} 0 0 1 ${-half} ${along}` +
    `V${-along}A${r} ${r} 0 0 1 ${-across} ${-half - deep}Z`
  );
}
