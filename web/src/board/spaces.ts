/** Spaces in rows: arrow keys, and geometry in the picture. */

import { rise, squash, type Look, type Point } from '../pieces/projection';
import { BASE, HEIGHT } from '../pieces/solid';
import { layers, type Piece } from '../pieces/stack';

/** `y` is the row from the bottom; `x` grows to the right. */
export interface Space {
  name: string;
  x: number;
  y: number;
}

/** The layout of spaces in a picture. */
export interface Plan {
  look: Look;
  place: (space: Space) => Point;
  /** The outline of a space, grown by a length, as an SVG path seen from above. */
  shape: (grow: number) => string;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A corner of the picture. */
export interface PictureCorner {
  right: boolean;
  bottom: boolean;
}

/** The corner farthest from a space, whose pieces rise up the picture. */
export function captionCorner(box: Box, { x, y }: Point): PictureCorner {
  return { right: x < box.x + box.width / 2, bottom: y < box.y + box.height * 0.6 };
}

/** Far rows first, for painting and for screen readers. */
export function inRows<S extends Space>(spaces: readonly S[]): S[][] {
  const heights = [...new Set(spaces.map(({ y }) => y))].sort((a, b) => b - a);
  return heights.map((height) => spaces.filter(({ y }) => y === height).sort((a, b) => a.x - b.x));
}

/** The common part of the names in a line, "c" or "3", or else the first and the last name. */
export function lineName(line: readonly Space[]): string {
  const common = [/^[a-z]+/, /\d+$/].flatMap((part) => {
    const parts = new Set(line.map(({ name }) => part.exec(name)?.[0]));
    return parts.size === 1 ? [...parts] : [];
  });
  return common[0] ?? `${line[0]?.name} to ${line.at(-1)?.name}`;
}

const MIN_LETTER_PIXELS = 11.2;

/** The size of letters, enlarged in a small picture. */
export function legible(size: number, scale: number): number {
  return Math.max(size, MIN_LETTER_PIXELS / scale);
}

export const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The space that an arrow leads to: along the row, or in the next row the one nearest to `column`. */
export function towards<S extends Space>(spaces: readonly S[], from: S, [dx, dy]: [number, number], column: number): S {
  const isAhead = (space: S) => (dx ? space.y === from.y && (space.x - from.x) * dx > 0 : space.y === from.y + dy);
  const distance = (space: S) => Math.abs(space.x - (dx ? from.x : column));
  const [first, ...others] = spaces.filter(isAhead);
  return others.reduce((best, space) => (distance(space) < distance(best) ? space : best), first ?? from);
}

/** The space whose middle is nearest to a point of the picture; null if that is farther than `reach`. */
export function nearest<S extends Space>(
  spaces: readonly S[],
  place: (space: S) => Point,
  look: Look,
  point: Point,
  reach: number,
): S | null {
  const distance = (space: S) => Math.hypot(place(space).x - point.x, (place(space).y - point.y) / squash(look));
  const [first, ...rest] = spaces;
  if (!first) return null;
  const best = rest.reduce((closest, space) => (distance(space) < distance(closest) ? space : closest), first);
  return distance(best) <= reach ? best : null;
}

/** The height of a stack's tip over the table. */
export function tipHeight(stack: readonly Piece[]): number {
  const top = layers(stack).at(-1);
  return top ? top.z + HEIGHT[top.piece.size] : 0;
}

/** The outline of a stack for the pointer, as an SVG path: each pyramid from the corners of its base to its tip. */
export function silhouette(stack: readonly Piece[], look: Look): string {
  if (look === 'top') return '';
  return layers(stack)
    .map(({ piece, z }) => {
      const half = BASE[piece.size] * Math.SQRT1_2;
      const foot = -z * rise(look);
      const tip = -(z + HEIGHT[piece.size]) * rise(look);
      return `M${-half} ${foot}L0 ${foot + half * squash(look)} ${half} ${foot} 0 ${tip}Z`;
    })
    .join('');
}
