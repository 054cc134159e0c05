import { describe, expect, it } from 'vitest';
import { actAt, lanesOf, levels, marks, Plot, spread, stepAt, xOf } from './course';
import { review } from './fixtures';

const GAME = review();
/** 100 pixels for 100 seconds, plus room for words on the left and marks on the right. */
const WIDTH = 162;

describe('time', () => {
  it('starts with play; earlier acts are at its start', () => {
    expect([0, 10_000, 60_000, 110_000].map((at) => xOf(GAME, at, WIDTH))).toEqual([40, 40, 90, 140]);
    expect(xOf(review({ ended: 10_000 }), 10_000, WIDTH)).toBe(40);
  });

  it('leads from a point to the last act before it', () => {
    expect([-5, 40, 89, 90, 139, 140, 500].map((x) => stepAt(GAME, x, WIDTH))).toEqual([1, 1, 1, 2, 2, 3, 3]);
    expect([0, 9_999, 10_000, 60_001].map((at) => actAt(GAME, at))).toEqual([0, 0, 1, 2]);
  });
});

describe('scores', () => {
  it('are steps; equal ones are side by side', () => {
    const plot = new Plot(GAME, { width: WIDTH, height: 100 }, 0);
    expect([0, 3].map((score) => plot.yOf(score))).toEqual([90, 10]);
    expect(plot.line(0)).toBe('M40 88.5H40V88.5H90V10H140V10H140');
    expect(plot.line(1)).toBe('M40 91.5H40V91.5H90V90H140V90H140');
    expect(plot.ends()).toEqual({ x: 152, ys: [10, 90] });
  });

  it('have grid lines at round numbers up to the highest', () => {
    const won = (score: number): number[] => levels(review({ course: [{ act: 0, at: 0, scores: [score, 0] }] }));
    expect([0, 1, 3, 7, 28, 240].map(won)).toEqual([
      [0, 1],
      [0, 1],
      [0, 1, 2, 3],
      [0, 2, 4, 6, 8],
      [0, 10, 20, 30],
      [0, 50, 100, 150, 200, 250],
    ]);
  });

  it('end with marks that do not overlap', () => {
    expect(spread([50, 52, 10], 13, 100)).toEqual([39, 52, 10]);
    expect(spread([99, 99, 99], 13, 95)).toEqual([95, 82, 69]);
    expect(spread([], 13, 95)).toEqual([]);
  });
});

describe('events', () => {
  it('are marked in lanes by player, calls that found nobody as vain', () => {
    const span = { over: [], attackers: [1], points: [0, 0], returned: [0, 0], freed_by: null };
    const icing = { piece: 'p1', kind: 'L:red', seat: 0, act: 2, start: 60_000, end: 110_000, by: 1, ...span };
    const call = { act: 3, at: 70_000, seat: 0, verdict: 'false' as const, found: [], pieces: 0, waited: null };
    const game = review({
      icings: [{ ...icing, by: null }, icing],
      calls: [call, { ...call, at: 80_000, verdict: 'true' }],
      meltdowns: [{ act: 4, at: 90_000, seat: 1, colour: 0, pieces: ['p1'] }],
      captures: [{ act: 5, at: 95_000, seat: 1, piece: 'p1', kind: 'S:red', owner: 0 }],
    });
    const all = marks(game);
    expect(all.map(({ what, at, seat, vain }) => [what, at, seat, vain])).toEqual([
      ['iced', 60_000, 1, false],
      ['taken', 95_000, 1, false],
      ['calls', 70_000, 0, true],
      ['calls', 80_000, 0, false],
      ['calls', 90_000, 1, false],
    ]);
    expect(lanesOf(all)).toEqual(['iced', 'taken', 'calls']);
    expect(lanesOf(marks(review()))).toEqual([]);
  });
});
