import { describe, expect, it } from 'vitest';
import type { Review, ReviewedAct } from '../wire';
import { areas, adjacentFault, costly, faults, filled, stepAt, strokes, xOf } from './course';

function act(changes: Partial<ReviewedAct>): ReviewedAct {
  const none = [0, 0];
  const { seat = 0, kind = 'decision', best = 'b', regret = 0, luck = none } = changes;
  return { seat, act: 'a', kind, best, line: [], regret, stake: 0, gifts: none, luck, drift: none, label: null };
}

function review(acts: ReviewedAct[]): Review {
  const costliest = acts.map((_, index) => index).sort((a, b) => acts[b]!.regret - acts[a]!.regret);
  return { type: 'turns', simulations: 1, seed: 0, positions: [], acts, seats: [], costliest, ended: null };
}

describe('the graph', () => {
  it('has areas that add up to its height at every position', () => {
    const size = { width: 100, height: 10 };
    expect(
      areas(
        [
          [0.5, 0.5],
          [0.25, 0.75],
          [1, 0],
        ],
        size,
      ),
    ).toEqual(['M0 0L50 0L100 0L100 10L50 2.5L0 5Z', 'M0 5L50 2.5L100 10L100 10L50 10L0 10Z']);
    expect(areas([[1]], size)).toEqual(['M0 0L0 10Z']);
    expect(areas([], size)).toEqual([]);
  });

  it('ends at the last known position', () => {
    const [a, b] = [
      [0.5, 0.5],
      [1, 0],
    ];
    expect(filled([null, a, null, b, null])).toEqual([a, a, a, b]);
    expect(filled([null, null])).toEqual([]);
    expect(areas(filled([a, b, null, null]), { width: 90, height: 10 }, 3)).toEqual([
      'M0 0L30 0L30 10L0 5Z',
      'M0 5L30 10L30 10L0 10Z',
    ]);
  });

  it('converts between coordinates and positions', () => {
    expect(xOf(3, 10, 200)).toBe(60);
    expect(xOf(0, 0, 200)).toBe(0);
    expect([-5, 0, 69, 71, 400].map((x) => stepAt(x, 10, 200))).toEqual([0, 0, 3, 4, 10]);
    expect(stepAt(3, 10, 0)).toBe(0);
  });
});

describe('strokes of luck', () => {
  it('are the greatest ones, in the order of the game', () => {
    const lucky = (luck: number): ReviewedAct => act({ seat: -1, kind: 'chance', best: null, luck: [-luck, luck] });
    expect(strokes(review([act({}), lucky(0.1), lucky(0.04), lucky(-0.3)]))).toEqual([
      { index: 1, seat: 1, luck: 0.1 },
      { index: 3, seat: 0, luck: 0.3 },
    ]);
    const many = Array.from({ length: 20 }, (_, i) => lucky(0.1 + i / 100));
    expect(strokes(review(many)).map(({ index }) => index)).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
  });
});

describe('costly acts', () => {
  it('are sorted by cost, without cheap ones, one’s own first', () => {
    const regrets = [0.02, 0, 0.3, 0.009];
    const found = review(regrets.map((regret, seat) => act({ regret, seat: seat % 4 })));
    expect(costly(found, new Set())).toEqual([2, 0]);
    expect(costly(found, new Set([0, 3]))).toEqual([0, 2]);
  });
});

describe('faults', () => {
  const acts = (['mistake', null, 'blunder', null] as const).map((label, seat) => ({
    ...act({ seat: seat % 3 }),
    label,
  }));
  const positions = acts.map(() => ({ worth: [0.5, 0.25, 0.25] }));
  const found = faults({ ...review(acts), positions: [{ worth: [1, 0, 0] }, ...positions] });

  it('are marked at the lower edge of their seat’s area, or at the upper one for the last seat', () => {
    expect(found.map(({ index, label, y }) => [index, label, y])).toEqual([
      [0, 'mistake', 0.5],
      [2, 'blunder', 0.75],
    ]);
  });

  it('have a next and a previous one', () => {
    expect([0, 1, 2, 3].map((current) => adjacentFault(found, current, 1))).toEqual([1, 3, 3, undefined]);
    expect([0, 1, 2, 4].map((current) => adjacentFault(found, current, -1))).toEqual([undefined, undefined, 1, 3]);
  });
});
