/** Turning boards, counter-clockwise as seen from above. */

import type { Space } from './spaces';

/** A corner as the viewer sees it: north is far. */
export type Corner = 'nw' | 'ne' | 'sw' | 'se';

/** Counter-clockwise, from the near left. */
const CORNERS: readonly Corner[] = ['sw', 'se', 'ne', 'nw'];

/** A turn modulo a full turn, never negative. */
export function modulo(turn: number, steps: number): number {
  return ((turn % steps) + steps) % steps;
}

/** The number of steps in a full turn of a board of squares: four, or two if it is not square. */
export function stepsOf(squares: readonly Space[]): number {
  return last(squares, 'x') === last(squares, 'y') ? 4 : 2;
}

/** The number of quarters in a turn of a board of squares. */
export function quartersOf(squares: readonly Space[], turn: number): number {
  const steps = stepsOf(squares);
  return (modulo(turn, steps) * 4) / steps;
}

/** Turns squares; their coordinates start at 0 before and after. */
export function turnSquares<S extends Space>(squares: S[], turn: number): S[] {
  let turned = squares;
  for (let i = quartersOf(squares, turn); i > 0; i--) {
    const far = last(turned, 'y');
    turned = turned.map((square) => ({ ...square, x: far - square.y, y: square.x }));
  }
  return turned;
}

/** Turns a direction in files and ranks. */
export function turnWay([dx, dy]: [number, number], quarters: number): [number, number] {
  let way: [number, number] = [dx, dy];
  for (let i = modulo(quarters, 4); i > 0; i--) way = [0 - way[1], way[0]];
  return way;
}

export function turnCorner(corner: Corner, quarters: number): Corner {
  return CORNERS[modulo(CORNERS.indexOf(corner) + quarters, 4)]!;
}

function last(squares: readonly Space[], axis: 'x' | 'y'): number {
  return Math.max(...squares.map((square) => square[axis]));
}
