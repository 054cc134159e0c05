import { describe, expect, it } from 'vitest';
import { quartersOf, turnCorner } from '../board/turn';
import * as highrise from './highrise/game';

function squares(columns: number, rows: number) {
  return Array.from({ length: columns * rows }, (_, i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    return { name: `${'abcdefgh'[x]}${y + 1}`, x, y };
  });
}

describe('the turn that faces a seat', () => {
  it.each([3, 5])('puts the other side of a High Rise board below, of %d columns', (cols) => {
    const copies = { S: 1, M: 1, L: 1 };
    const layout = {
      rows: 3,
      cols,
      squares: squares(cols, 3),
      colours: [],
      copies,
      values: null,
      memory: 'on' as const,
    };
    expect(highrise.facing(layout, 0)).toBe(0);
    const turn = highrise.facing(layout, 1);
    expect(turnCorner(highrise.CORNERS[1]!, quartersOf(layout.squares, turn))).toBe('sw');
    expect(highrise.turned(layout, turn).squares.find(({ name }) => name === 'a3')).toMatchObject({
      x: cols - 1,
      y: 0,
    });
  });
});
