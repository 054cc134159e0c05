/** What part of the field is worth seeing: all that lies there, and room enough to play. */

import type { Spot } from './geometry';
import type { Layout } from './wire';

/** Round the field, thousandths of an inch. */
export const MARGIN = 260;
/** Round what lies, so that it can be seen whole and attacked: thousandths of an inch from the middle of a piece. */
const ROOM = 2000;
/** What is shown at least, by the number of players, thousandths of an inch. */
const LEAST: [players: number, side: number][] = [
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

/** The part that holds all places, as near to the middle of the field as can be. */
export function inPlay(layout: Layout, places: readonly Spot[]): Part {
  const players = layout.colours.length;
  const least = LEAST.find(([most]) => players <= most)?.[1] ?? Infinity;
  const [x, width] = stretch(
    places.map((place) => place.x),
    least,
    layout.width,
  );
  const [y, height] = stretch(
    places.map((place) => place.y),
    least,
    layout.height,
  );
  return { x, y, width, height };
}

/** The middle and the length of what is shown of a side. */
function stretch(places: number[], least: number, side: number): [middle: number, length: number] {
  const [first, last] = [-MARGIN, side + MARGIN];
  const low = Math.max(first, Math.min(side / 2, ...places.map((place) => place - ROOM)));
  const high = Math.min(last, Math.max(side / 2, ...places.map((place) => place + ROOM)));
  const length = Math.min(last - first, Math.max(least, high - low));
  return [Math.max(high - length / 2, Math.min(low + length / 2, side / 2)), length];
}
