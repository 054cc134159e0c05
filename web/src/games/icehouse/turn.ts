/** The rotation of the field in the picture: in quarter turns counter-clockwise, around its middle. */

import type { Spot } from './geometry';
import type { Layout } from './wire';

export const QUARTERS = 4;

/** Rotates an offset. */
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

/** Rotates a spot of the field. */
export function turnedSpot({ x, y }: Spot, { width, height }: Layout, quarters: number): Spot {
  const offset = turned({ x: x - width / 2, y: y - height / 2 }, quarters);
  return { x: width / 2 + offset.x, y: height / 2 + offset.y };
}

/** As an SVG transform. */
export function turnOf({ width, height }: Layout, quarters: number): string {
  return `rotate(${-90 * quarters} ${width / 2} ${height / 2})`;
}
