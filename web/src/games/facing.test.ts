import { describe, expect, it } from 'vitest';
import { turnCorner } from '../board/turn';
import * as wrecktangle from './wrecktangle/game';

function squares(columns: number, rows: number) {
  return Array.from({ length: columns * rows }, (_, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    return { name: `${'abcdefgh'[x]}${y + 1}`, x, y };
  });
}

describe('the turn that faces a seat', () => {
  it("puts a seat's home row of WreckTangle below, and its pad beside it", () => {
    const directions: [number, number][] = [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ];
    const board = squares(8, 8).map((square) => ({ ...square, home: null }));
    const layout = { squares: board, seats: directions.map((away) => ({ home: [], away })) };
    for (const [seat, corner] of wrecktangle.corners(layout).entries()) {
      const turn = wrecktangle.facing(layout, seat);
      expect(wrecktangle.turned(layout, turn).seats[seat]!.away).toEqual([0, 1]);
      expect(turnCorner(corner, turn)).toBe('sw');
    }
  });
});
