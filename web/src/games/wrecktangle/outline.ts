/** The outline of a rectangle in the picture. */

import type { Point } from '../../pieces/projection';

/** An SVG path through the corners, in order round their middle. */
export function outlineOf(corners: string[], place: (square: string) => Point): string {
  const points = corners.map(place);
  const middle = (axis: 'x' | 'y') => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const angle = ({ x, y }: Point) => Math.atan2(y - middle('y'), x - middle('x'));
  const round = points.sort((a, b) => angle(a) - angle(b));
  return `M${round.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;
}
