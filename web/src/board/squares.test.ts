import { describe, expect, it } from 'vitest';
import type { Look } from '../pieces/projection';
import { gridOf, rounded } from './squares';

const LOOKS: Look[] = ['iso', 'top'];
const SQUARES = [0, 1, 2, 3].flatMap((y) => [0, 1, 2, 3].map((x) => ({ name: `${'abcd'[x]}${y + 1}`, x, y })));

describe('gridOf', () => {
  it.each(LOOKS)('finds the square under a point (%s)', (look) => {
    const grid = gridOf(SQUARES, look);
    for (const square of SQUARES) {
      const { x, y } = grid.place(square);
      expect(grid.squareAt({ x: x + 25, y: y - 20 })).toBe(square.name);
    }
    expect(grid.squareAt({ x: grid.box.x, y: grid.box.y })).toBeNull();
  });

  it.each(LOOKS)('shows far ranks higher and keeps all tiles in the frame (%s)', (look) => {
    const { box, half, place, rows } = gridOf(SQUARES, look);
    expect(rows[0]!.map(({ name }) => name)).toEqual(['a4', 'b4', 'c4', 'd4']);
    expect(place(SQUARES.at(-1)!).y).toBeLessThan(place(SQUARES[0]!).y);
    for (const square of SQUARES) {
      const { x, y } = place(square);
      expect(x - half).toBeGreaterThan(box.x);
      expect(x + half).toBeLessThan(box.x + box.width);
      expect(y - half).toBeGreaterThan(box.y);
      expect(y + half).toBeLessThan(box.y + box.height);
    }
  });

  it('keeps squares square from above, and adds streets between ranks on request', () => {
    const flat = gridOf(SQUARES, 'top', { headroom: 0, street: 40 });
    expect(flat.spot({ x: 1, y: 0 }).x).toBe(flat.spot({ x: 0, y: 1 }).y);
    const city = gridOf(SQUARES, 'iso', { headroom: 0, street: 40 });
    expect(city.spot({ x: 0, y: 1 }).y - city.spot({ x: 1, y: 0 }).x).toBe(40);
    const { x, y } = city.place({ x: 2, y: 1 });
    expect(city.squareAt({ x, y: y + 25 })).toBe('c2');
  });

  it('leaves the requested headroom', () => {
    const low = gridOf(SQUARES, 'iso', { headroom: 100, street: 0 });
    const high = gridOf(SQUARES, 'iso', { headroom: 200, street: 0 });
    expect(high.box.height).toBeGreaterThan(low.box.height + 60);
  });
});

describe('rounded', () => {
  it('is closed, and longer if it is deep', () => {
    expect(rounded(40, 10)).toMatch(/^M-30 -40.*Z$/);
    expect(rounded(40, 10, 15)).toMatch(/^M-30 -55H30/);
  });
});
