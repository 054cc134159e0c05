/** How pyramids lie on one another: they are hollow, so each slides over the one beneath. */

import { rise, type Look } from './projection';
import { BASE, HEIGHT, type Size } from './solid';
import type { Colour } from './colours';

export interface Piece {
  size: Size;
  colour: Colour;
  /** The colour whose mark it bears, where several seats have pieces of one colour. */
  mark?: Colour;
}

/** A piece in a stack: `z` is the height of its base; `lean`, how far the view from above moves it up the picture. */
export interface Layer {
  piece: Piece;
  z: number;
  lean: number;
  /** A larger pyramid above swallows it. */
  hidden: boolean;
  /** Enough of it shows for its marks. */
  marked: boolean;
}

/** What a pyramid leaves uncovered of an equal one beneath it. */
const STEP = 23;
const LEAN = 7.5;
/** Stacks with more layers move closer together. */
const ROOMY = 5;

/** From bottom to top. */
export function layers(stack: readonly Piece[], step = STEP): Layer[] {
  const close = Math.min(1, (ROOMY - 1) / Math.max(1, stack.length - 1));
  const heights: number[] = [];
  for (const [i, piece] of stack.entries()) {
    const rests = stack.slice(0, i).map((lower, j) => heights[j]! + perch(lower.size, piece.size, step * close));
    heights.push(Math.max(0, ...rests));
  }
  const seen = stack.map((piece, i) => stack.slice(i + 1).every((upper) => BASE[upper.size] <= BASE[piece.size]));
  const shown = seen.filter(Boolean).length;
  let rank = 0;
  return stack.map((piece, i) => ({
    piece,
    z: heights[i]!,
    lean: (seen[i] ? rank++ - (shown - 1) / 2 : 0) * LEAN * close,
    hidden: !seen[i],
    marked: Math.min(...heights.slice(i + 1)) - heights[i]! > STEP - 1,
  }));
}

/** How far the base of the upper one stays above that of the lower; a larger one slips right over a smaller. */
function perch(lower: Size, upper: Size, step: number): number {
  if (BASE[upper] > BASE[lower]) return 0;
  return HEIGHT[lower] * (1 - BASE[upper] / BASE[lower]) + step;
}

/** How far a layer is moved up in the picture. */
export function lifted(layer: Pick<Layer, 'z' | 'lean'>, look: Look): number {
  return look === 'iso' ? layer.z * rise(look) : layer.lean;
}
