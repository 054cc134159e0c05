import { describe, expect, it } from 'vitest';
import { quartersOf, stepsOf, turnCorner, turnSquares, turnWay } from './turn';

function squares(columns: number, rows: number) {
  return Array.from({ length: columns * rows }, (_, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    return { name: `${'abcdefgh'[x]}${y + 1}`, x, y };
  });
}

function near(all: ReturnType<typeof squares>): string[] {
  return all.flatMap(({ name, y }) => (y === 0 ? [name] : [])).sort();
}

describe('boards of squares', () => {
  it('turn by quarters where they are square', () => {
    const board = squares(3, 3);
    expect(stepsOf(board)).toBe(4);
    expect(near(turnSquares(board, 1))).toEqual(['a1', 'a2', 'a3']);
    expect(near(turnSquares(board, 2))).toEqual(['a3', 'b3', 'c3']);
    expect(turnSquares(board, 1).find(({ name }) => name === 'a1')).toMatchObject({ x: 2, y: 0 });
    expect(turnSquares(board, 4)).toEqual(board);
  });

  it('turn by halves where they are not', () => {
    const board = squares(4, 3);
    expect(stepsOf(board)).toBe(2);
    expect(quartersOf(board, 3)).toBe(2);
    expect(near(turnSquares(board, 1))).toEqual(['a3', 'b3', 'c3', 'd3']);
    expect(turnSquares(board, 1)[0]).toEqual({ name: 'a1', x: 3, y: 2 });
    expect(turnSquares(board, 2)).toEqual(board);
  });
});

describe('what lies round a board', () => {
  it('turns with it', () => {
    expect([0, 1, 2, 3, 4].map((quarters) => turnCorner('sw', quarters))).toEqual(['sw', 'se', 'ne', 'nw', 'sw']);
    expect(turnWay([0, 1], 1)).toEqual([-1, 0]);
    expect(turnWay([0, -1], 2)).toEqual([0, 1]);
    for (const corner of ['sw', 'se', 'ne', 'nw'] as const) {
      expect(turnCorner(turnCorner(corner, 1), -1)).toBe(corner);
    }
  });
});
