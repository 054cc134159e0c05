import { describe, expect, it } from 'vitest';
import { FIELD, LAYOUT } from './fixtures';
import { sumWords, tally, total } from './tally';
import type { View } from './wire';

function over(in_icehouse: number[]): View {
  const pads = [{}, {}, {}];
  return {
    ...{ seat: null, to_act: [], over: true, ended_by: 'IH-31', winners: [1], scores: [] },
    ...{ ready: [0, 1, 2], field: FIELD, pads, hands: [null, null, null], in_icehouse, owed: {} },
  };
}

describe('the count', () => {
  it('adds up free defenders and successful attackers, the lowest first', () => {
    const sums = tally(over([]), LAYOUT);
    expect(sums.map((sum) => [sum.seat, total(sum)])).toEqual([
      [0, 0],
      [2, 3],
      [1, 4],
    ]);
    expect(sums.map(sumWords)).toEqual([
      '0 defending + 0 attacking',
      '3 defending + 0 attacking',
      '0 defending + 4 attacking',
    ]);
  });

  it('gives nothing to players in the icehouse, though their attackers still ice', () => {
    const sums = tally(over([1]), LAYOUT);
    expect(sums.map(({ seat, frozen }) => [seat, frozen])).toEqual([
      [0, false],
      [1, true],
      [2, false],
    ]);
    expect(sumWords(sums[1]!)).toBe('in the icehouse');
  });
});
