import { describe, expect, it } from 'vitest';
import type { Line } from '../../wire';
import { landmarks, nextLandmark, place, positionAt, startOf, waitBefore } from './replay';

function line(seq: number, at: number, ...kinds: string[]): Line {
  const effects = kinds.map((kind) => ({ kind, spaces: [], value: null }));
  return { seq, seat: seq % 2, text: `act ${seq}`, effects, at };
}

const LINES = [line(1, 500), line(2, 2000, 'captures', 'covers'), line(3, 2000), line(4, 90_000, 'crashes')];

describe('a timeline', () => {
  it('finds acts by their time or, with turns, by their number', () => {
    expect([0, 1, 2, 3, 4].map((seq) => place(LINES, seq, true))).toEqual([0, 500, 2000, 2000, 90_000]);
    expect([0, 499, 500, 1999, 2000, 89_999, 90_000].map((at) => positionAt(LINES, at, true))).toEqual([
      0, 0, 1, 1, 3, 3, 4,
    ]);
    expect([0, 1, 4].map((where) => positionAt(LINES, where, false))).toEqual([0, 1, 4]);
  });

  it('is spread evenly before the first known act', () => {
    const late = LINES.slice(1);
    expect([0, 1, 2, 3, 4].map((seq) => place(late, seq, true))).toEqual([0, 1000, 2000, 2000, 90_000]);
    expect([0, 999, 1000, 1999, 2000, 90_000].map((at) => positionAt(late, at, true))).toEqual([0, 0, 1, 1, 3, 4]);
    expect([0, 1, 4].map((where) => positionAt(late, where, false))).toEqual([0, 1, 4]);
    expect([1, 3, 4].map((seq) => waitBefore(late, seq, 1))).toEqual([1000, 60, 4000]);
    expect([place([], 0, true), positionAt([], 0, true)]).toEqual([0, 0]);
  });

  it('has landmarks to jump to', () => {
    const marks = landmarks(LINES, { captures: 'capture', crashes: 'crash' });
    expect(marks).toEqual([
      { seq: 2, seat: 0, label: 'capture' },
      { seq: 4, seat: 0, label: 'crash' },
    ]);
    expect([nextLandmark(marks, 0, 1)?.seq, nextLandmark(marks, 2, 1)?.seq, nextLandmark(marks, 4, 1)]).toEqual([
      2,
      4,
      undefined,
    ]);
    expect([nextLandmark(marks, 4, -1)?.seq, nextLandmark(marks, 2, -1)]).toEqual([2, undefined]);
  });

  it('runs at a speed, without long thinking times and not too fast to see', () => {
    expect(waitBefore(LINES, 2, 1)).toBe(1500);
    expect(waitBefore(LINES, 2, 4)).toBe(375);
    expect(waitBefore(LINES, 3, 1)).toBe(60);
    expect(waitBefore(LINES, 4, 2)).toBe(2000);
  });

  it('begins at the start of play, without a wait', () => {
    const lines = [line(1, 500), line(2, 100_500, 'starts'), line(3, 102_000)];
    expect([startOf(lines, 'starts'), startOf(lines, undefined), startOf([], 'starts')]).toEqual([2, 0, 0]);
    expect([1, 2, 3].map((seq) => waitBefore(lines, seq, 1, 2))).toEqual([60, 60, 1500]);
  });
});
