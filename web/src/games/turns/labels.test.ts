import { expect, it } from 'vitest';
import { headingOf, planOf } from './board';
import { layout, pond, space, SQUAD, squares, TOWERS } from './fixtures';
import { badgesOf, drawnOf, isHidden, meet, touches, type Heap } from './labels';
import { COVER, type Figure } from './pieces';
import type { Layout } from './wire';

const HEXAGONS = layout(
  'hexagon',
  Array.from({ length: 5 }, (_, y) =>
    Array.from({ length: 5 }, (_, x) => space(`${'abcde'[y]}${x + 1}`, x + (y % 2) / 2, y)),
  ).flat(),
  { headings: { e: 0, ne: 60, nw: 120, w: 180, sw: 240, se: 300 } },
);

const BOARDS: [name: string, board: Layout, deck: (random: () => number) => Figure[], most: number][] = [
  ['Squad', SQUAD, (random) => (random() < 0.15 ? [DIE] : [standing(random)]), 0.35],
  ['WreckTangle', layout('square', squares(8, 8)), (random) => [standing(random)], 0],
  ['IceFrogs', pond(), (random) => stack(random, 4), 0.6],
  ['High Rise', TOWERS, (random) => [COVER, ...stack(random, 6)], 0.9],
  ['lying pieces', HEXAGONS, (random) => [random() < 0.5 ? lying(random) : standing(random)], 0.4],
  ['tokens', layout('square', squares(6, 6)), (random) => (random() < 0.4 ? [TOKEN] : stack(random, 2)), 0.5],
];

const ANY: Figure = { colour: 'red', size: null, heading: null, sides: 0, face: '' };
const DIE: Figure = { ...ANY, sides: 4, face: '2' };
const TOKEN: Figure = { ...ANY, face: 'X' };

function standing(random: () => number): Figure {
  return { ...ANY, size: (['S', 'M', 'L'] as const)[Math.floor(random() * 3)]! };
}

function lying(random: () => number): Figure {
  return { ...standing(random), heading: ['e', 'ne', 'nw', 'w', 'sw', 'se'][Math.floor(random() * 6)]! };
}

function stack(random: () => number, most: number): Figure[] {
  return Array.from({ length: 1 + Math.floor(random() * most) }, () => standing(random));
}

function randomOf(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

it.each(BOARDS)('tells every piece of dense positions from the side: %s', (_, board, deck, most) => {
  const plan = planOf(board, 'iso', 0);
  const heading = (way: string, at: string): number => headingOf(plan.headings, way, at);
  let pieces = 0;
  let shown = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const random = randomOf(seed * 7919);
    const heaps = plan.rows
      .flat()
      .filter(() => random() < 0.9)
      .map((one): Heap => ({ name: one.name, figures: deck(random), ...plan.place(one) }));
    const badges = badgesOf(heaps, heading, plan.box);
    const drawn = heaps.map((heap) => ({ heap, ...drawnOf(heap, heading) }));
    for (const { heap, layers } of drawn) {
      const front = drawn.filter(({ heap: other }) => other.y > heap.y).flatMap(({ bodies }) => bodies);
      const [lost, seen] = [true, false].map((wanted) =>
        layers.filter(({ circles }) => circles.some((circle) => isHidden(circle, front)) === wanted),
      ) as [typeof layers, typeof layers];
      const badge = badges.find(({ name }) => name === heap.name);
      expect(badge?.figures ?? []).toEqual(lost.map(({ figure }) => figure).reverse());
      for (const circle of seen.flatMap(({ circles }) => circles)) {
        expect(badges.filter((one) => touches(one, circle)).map(({ name }) => `${name} on ${heap.name}`)).toEqual([]);
      }
      pieces += layers.length;
      shown += lost.length;
    }
    for (const [i, badge] of badges.entries()) {
      expect(badges.slice(i + 1).filter((other) => meet(badge, other))).toEqual([]);
    }
  }
  expect(shown / pieces).toBeLessThanOrEqual(most);
});
