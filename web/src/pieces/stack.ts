/** Stacks of pyramids: they are hollow, so each slides over the one beneath. */

import { rise, type Look } from './projection';
import { BASE, HEIGHT, type Size } from './solid';
import type { Colour } from './colours';

export interface Piece {
  size: Size;
  colour: Colour;
  /** The colour whose mark it shows, if several seats have pieces of one colour. */
  mark?: Colour;
}

/** A piece in a stack: `z` is the height of its base; `lean`, its offset up the picture in the view from above. */
export interface Layer {
  piece: Piece;
  z: number;
  lean: number;
  /** A larger pyramid above covers it. */
  hidden: boolean;
  /** Enough of it shows for its marks. */
  marked: boolean;
}

/** The uncovered height of an equal pyramid beneath. */
const STEP = 23;
const LEAN = 7.5;
/** Higher stacks are compressed. */
const MAX_LOOSE_LAYERS = 5;

/** From bottom to top. */
export function layers(stack: readonly Piece[], step = STEP): Layer[] {
  const spacing = Math.min(1, (MAX_LOOSE_LAYERS - 1) / Math.max(1, stack.length - 1));
  const heights: number[] = [];
  for (const [i, piece] of stack.entries()) {
    const rests = stack.slice(0, i).map((lower, j) => heights[j]! + perch(lower.size, piece.size, step * spacing));
    heights.push(Math.max(0, ...rests));
  }
  const visible = stack.map((piece, i) => stack.slice(i + 1).every((upper) => BASE[upper.size] <= BASE[piece.size]));
  const count = visible.filter(Boolean).length;
  let rank = 0;
  return stack.map((piece, i) => ({
    piece,
    z: heights[i]!,
    lean: (visible[i] ? rank++ - (count - 1) / 2 : 0) * LEAN * spacing,
    hidden: !visible[i],
    marked: Math.min(...heights.slice(i + 1)) - heights[i]! > STEP - 1,
  }));
}

/** The height of the upper base over the lower one; 0 if the upper pyramid is larger and slips right over. */
function perch(lower: Size, upper: Size, step: number): number {
  if (BASE[upper] > BASE[lower]) return 0;
  return HEIGHT[lower] * (1 - BASE[upper] / BASE[lower]) + step;
}

/** The offset of a layer up the picture. */
export function lifted(layer: Pick<Layer, 'z' | 'lean'>, look: Look): number {
  return look === 'iso' ? layer.z * rise(look) : layer.lean;
}
