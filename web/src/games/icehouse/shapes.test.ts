import { expect, it } from 'vitest';
import { LAYOUT } from './fixtures';
import { footprint } from './geometry';
import { lightOn, shadowOf, shapeOf } from './shapes';

it('lights facets that face the upper left', () => {
  const [east, south, west, north] = shapeOf('L', true, LAYOUT.lengths).facets.map((facet) => lightOn(facet, 0));
  expect(west!).toBeGreaterThan(east!);
  expect(north!).toBeGreaterThan(south!);
});

it('lights the same side when the piece is turned round', () => {
  const [east, , west] = shapeOf('M', true, LAYOUT.lengths).facets;
  expect(lightOn(east!, 180)).toBeCloseTo(lightOn(west!, 0));
});

it('draws a lying piece in its full length', () => {
  expect(shapeOf('L', false, LAYOUT.lengths).outline).toBe('M910 0L-910 -500L-910 500Z');
  expect(shapeOf('S', false, { ...LAYOUT.lengths, S: 1000 }).outline).toMatch(/^M500 0/);
});

it('shows the value of a piece in pips', () => {
  const counts = (['S', 'M', 'L'] as const).map((size) => shapeOf(size, true, LAYOUT.lengths).pips.length);
  expect(counts).toEqual([1, 2, 3]);
});

it('casts shadows to the lower right', () => {
  const piece = footprint({ x: 5000, y: 3000 }, 0, 'L', true, LAYOUT.lengths);
  const [xs, ys] = [0, 1].map((axis) =>
    [...shadowOf(piece, 'L', true, 8000, 0).matchAll(/(-?\d+) (-?\d+)/g)].map((pair) => Number(pair[axis + 1])),
  );
  expect(Math.min(...xs!)).toBe(4500);
  expect(Math.max(...xs!)).toBeGreaterThan(5600);
  expect(Math.max(...ys!)).toBeGreaterThan(5600);
});
