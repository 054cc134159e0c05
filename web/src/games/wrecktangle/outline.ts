import type { Point } from '../../pieces/projection';

/** The outline of a rectangle in the picture, as an SVG path. */
export function outlineOf(corners: string[], place: (square: string) => Point): string {
  const points = corners.map(place);
  const middle = (axis: 'x' | 'y') => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const angle = ({ x, y }: Point) => Math.atan2(y - middle('y'), x - middle('x'));
  const ordered = points.sort((a, b) => angle(a) - angle(b));
  return `M${ordered.map(({ x, y }) => `${x} ${y}`).join('L')}Z`;
}
