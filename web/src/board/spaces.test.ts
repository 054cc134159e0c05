import { describe, expect, it } from 'vitest';
import { rise } from '../pieces/projection';
import type { Piece } from '../pieces/stack';
import {
  ARROWS,
  captionCorner,
  inRows,
  legible,
  lineName,
  nearest,
  silhouette,
  tipHeight,
  towards,
  type Space,
} from './spaces';

const STAR = rows([1, 2, 7, 6, 5, 6, 7, 2, 1], 2);
const SQUARES = rows([6, 8, 8], 1);

/** Centred rows from the bottom up, neighbours in a row `step` apart. */
function rows(lengths: number[], step: number): Space[] {
  return lengths.flatMap((length, y) =>
    Array.from({ length }, (_, i) => ({
      name: `${'abcdefghi'[y]}${i + 1}`,
      x: (step * (2 * i - length + 1)) / 2,
      y,
    })),
  );
}

function named(spaces: Space[], name: string): Space {
  return spaces.find((space) => space.name === name)!;
}

describe('inRows', () => {
  it('puts far rows first', () => {
    expect(inRows(STAR.slice(0, 3)).map((row) => row.map(({ name }) => name))).toEqual([['b1', 'b2'], ['a1']]);
  });
});

describe('lines', () => {
  it('have short names: the common part of their spaces, or else the first and the last', () => {
    expect(lineName(STAR.filter(({ y }) => y === 2))).toBe('c');
    const across = ['a3', 'b3', 'h3'].map((name, x) => ({ name, x, y: 0 }));
    expect(lineName(across)).toBe('3');
    expect(lineName([named(STAR, 'c1'), named(STAR, 'd2'), named(STAR, 'e3')])).toBe('c1 to e3');
  });
});

describe('text on a board', () => {
  it('is legible however small the picture is', () => {
    expect(legible(15, 1)).toBe(15);
    for (const scale of [0.2, 0.5]) expect(legible(15, scale) * scale).toBeGreaterThan(11);
  });

  it('is placed far from its space', () => {
    const box = { x: -50, y: -50, width: 100, height: 100 };
    expect(captionCorner(box, { x: -30, y: -30 })).toEqual({ right: true, bottom: true });
    expect(captionCorner(box, { x: 30, y: 30 })).toEqual({ right: false, bottom: false });
  });
});

describe('towards', () => {
  it('goes along the row and stops at its ends', () => {
    expect(towards(STAR, named(STAR, 'c3'), ARROWS['ArrowRight']!, -2).name).toBe('c4');
    expect(towards(STAR, named(STAR, 'c1'), ARROWS['ArrowLeft']!, -6).name).toBe('c1');
    expect(towards(SQUARES, named(SQUARES, 'b8'), ARROWS['ArrowLeft']!, 3.5).name).toBe('b7');
  });

  it('goes to the nearest space of the next row and keeps the column', () => {
    const climbed = ['b1'];
    for (let at = named(STAR, 'a1'), i = 0; i < 8; i++) {
      at = towards(STAR, at, ARROWS['ArrowUp']!, 1);
      climbed.push(at.name);
    }
    expect(climbed.slice(1)).toEqual(['b2', 'c4', 'd4', 'e3', 'f4', 'g4', 'h2', 'i1']);
    expect(towards(STAR, named(STAR, 'i1'), ARROWS['ArrowUp']!, 0).name).toBe('i1');
    expect(towards(SQUARES, named(SQUARES, 'b1'), ARROWS['ArrowDown']!, -3.5).name).toBe('a1');
  });

  it('reaches every space from any', () => {
    const seen = new Set([named(STAR, 'a1')]);
    for (const from of seen) {
      for (const arrow of Object.values(ARROWS)) seen.add(towards(STAR, from, arrow, from.x));
    }
    expect(seen.size).toBe(STAR.length);
  });
});

describe('nearest', () => {
  it('finds the space under a point, and none beyond reach', () => {
    const place = ({ x, y }: Space) => ({ x: x * 100, y: -y * 100 });
    expect(nearest(SQUARES, place, 'top', { x: 60, y: -90 }, 60)?.name).toBe('b5');
    expect(nearest(SQUARES, place, 'top', { x: 0, y: 90 }, 60)).toBeNull();
    expect(nearest([], place, 'top', { x: 0, y: 0 }, 60)).toBeNull();
  });
});

describe('silhouette', () => {
  it('outlines a stack up to its tip', () => {
    const stack: Piece[] = [
      { size: 'L', colour: 'red' },
      { size: 'M', colour: 'blue' },
    ];
    expect(tipHeight(stack)).toBeGreaterThan(112);
    expect(tipHeight([])).toBe(0);
    const heights = [...silhouette(stack, 'iso').matchAll(/ 0 (-[\d.]+)Z/g)].map(([, y]) => -Number(y));
    expect(heights).toHaveLength(2);
    expect(Math.max(...heights)).toBeCloseTo(tipHeight(stack) * rise('iso'));
    expect(silhouette([], 'iso')).toBe('');
    expect(silhouette(stack, 'top')).toBe('');
  });
});
