import { describe, expect, it } from 'vitest';
import { lanesOf, levels, Plot, spread, stepAt, xOf } from './course';
import type { Review } from './wire';

/** Play lasts 100 seconds; the first seat scores in the middle. */
function review(changes: Partial<Review> = {}): Review {
  const course = [0, 0, 50_000, 100_000].map((at) => ({ at, scores: [at > 0 ? 3 : 0, 0] }));
  const empty = { changes: [], marks: [], chapters: [], tables: [] };
  return { length: 100_000, bell: true, summary: '', course, ...empty, ...changes };
}

const GAME = review();
/** 100 pixels for 100 seconds, plus room for words on the left and marks on the right. */
const WIDTH = 162;

describe('time', () => {
  it('starts with play', () => {
    expect([0, 50_000, 100_000].map((at) => xOf(GAME, at, WIDTH))).toEqual([40, 90, 140]);
    expect(xOf(review({ length: 0 }), 0, WIDTH)).toBe(40);
  });

  it('leads from a point to the last act before it', () => {
    expect([-5, 40, 89, 90, 139, 140, 500].map((x) => stepAt(GAME, x, WIDTH))).toEqual([1, 1, 1, 2, 2, 3, 3]);
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
    const won = (score: number): number[] => levels(review({ course: [{ at: 0, scores: [score, 0] }] }));
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

it('has a lane for each kind of event', () => {
  const mark = { at: 0, seat: 0, vain: false };
  const marks = (['taken', 'calls', 'taken'] as const).map((lane) => ({ ...mark, lane }));
  expect(lanesOf(marks)).toEqual(['taken', 'calls']);
});
