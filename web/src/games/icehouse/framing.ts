/** The part of the field to show: all pieces, and enough room to play. */

import type { Spot } from './geometry';
import type { Layout } from './wire';

/** Around the field, in thousandths of an inch. */
export const MARGIN = 260;
/** Around the middle of a piece, to show it whole with its attackers; in thousandths of an inch. */
const PIECE_MARGIN = 2000;
/** In thousandths of an inch. */
const MIN_SIDES: [maxPlayers: number, side: number][] = [
  [2, 15_000],
  [4, 18_000],
];

/** A part of the field, by its middle. */
export interface Part extends Spot {
  width: number;
  height: number;
}

export function wholeField({ width, height }: Layout): Part {
  return { x: width / 2, y: height / 2, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

/** The part with all places, as close as possible to the middle of the field. */
export function inPlay(layout: Layout, places: readonly Spot[]): Part {
  const players = layout.colours.length;
  const minimum = MIN_SIDES.find(([maxPlayers]) => players <= maxPlayers)?.[1] ?? Infinity;
  const [x, width] = stretch(
    places.map((place) => place.x),
    minimum,
    layout.width,
  );
  const [y, height] = stretch(
    places.map((place) => place.y),
    minimum,
    layout.height,
  );
  return { x, y, width, height };
}

/** The middle and the length of the part of a side that is shown. */
function stretch(places: number[], minimum: number, side: number): [middle: number, length: number] {
  const [first, last] = [-MARGIN, side + MARGIN];
  const low = Math.max(first, Math.min(side / 2, ...places.map((place) => place - PIECE_MARGIN)));
  const high = Math.min(last, Math.max(side / 2, ...places.map((place) => place + PIECE_MARGIN)));
  const length = Math.min(last - first, Math.max(minimum, high - low));
  return [Math.max(high - length / 2, Math.min(low + length / 2, side / 2)), length];
}
