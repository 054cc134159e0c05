/** Boards turned before their players, counter-clockwise as seen from above. */

import type { Space } from './spaces';

/** A corner of the room as one looks at it: north is far. */
export type Corner = 'nw' | 'ne' | 'sw' | 'se';

/** Counter-clockwise, from the near left. */
const CORNERS: readonly Corner[] = ['sw', 'se', 'ne', 'nw'];

/** Which of so many steps, where more than a whole turn begins again. */
export function modulo(turn: number, steps: number): number {
  return ((turn % steps) + steps) % steps;
}

/** How many steps turn a board of squares once: quarters, or halves where it is longer one way. */
export function stepsOf(squares: readonly Space[]): number {
  return most(squares, 'x') === most(squares, 'y') ? 4 : 2;
}

/** The quarters that a turn of a board of squares has. */
export function quartersOf(squares: readonly Space[], turn: number): number {
  const steps = stepsOf(squares);
  return (modulo(turn, steps) * 4) / steps;
}

/** Squares counted from 0, and still so when they are turned. */
export function turnSquares<S extends Space>(squares: S[], turn: number): S[] {
  let turned = squares;
  for (let i = quartersOf(squares, turn); i > 0; i--) {
    const far = most(turned, 'y');
    turned = turned.map((square) => ({ ...square, x: far - square.y, y: square.x }));
  }
  return turned;
}

/** A direction in files and ranks. */
export function turnWay([dx, dy]: [number, number], quarters: number): [number, number] {
  let way: [number, number] = [dx, dy];
  for (let i = modulo(quarters, 4); i > 0; i--) way = [0 - way[1], way[0]];
  return way;
}

export function turnCorner(corner: Corner, quarters: number): Corner {
  return CORNERS[modulo(CORNERS.indexOf(corner) + quarters, 4)]!;
}

/** The quarters that bring a corner to the near left. */
export function quartersFrom(corner: Corner): number {
  return modulo(-CORNERS.indexOf(corner), 4);
}

function most(squares: readonly Space[], axis: 'x' | 'y'): number {
  return Math.max(...squares.map((square) => square[axis]));
}
