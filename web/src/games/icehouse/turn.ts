/** The field turned as it is seen: by quarters of a whole turn, counter-clockwise, round its middle. */

import type { Spot } from './geometry';
import type { Layout } from './wire';

export const QUARTERS = 4;

/** A way from the middle, after so many quarters. */
export function turned({ x, y }: Spot, quarters: number): Spot {
  switch (((quarters % QUARTERS) + QUARTERS) % QUARTERS) {
    case 1:
      return { x: -y, y: x };
    case 2:
      return { x: -x, y: -y };
    case 3:
      return { x: y, y: -x };
    default:
      return { x, y };
  }
}

/** Where a place of the field comes to lie. */
export function turnedSpot({ x, y }: Spot, { width, height }: Layout, quarters: number): Spot {
  const way = turned({ x: x - width / 2, y: y - height / 2 }, quarters);
  return { x: width / 2 + way.x, y: height / 2 + way.y };
}

/** The same for a part of a picture. */
export function turnOf({ width, height }: Layout, quarters: number): string {
  return `rotate(${-90 * quarters} ${width / 2} ${height / 2})`;
}
