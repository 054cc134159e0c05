import { describe, expect, it } from 'vitest';
import type { Analysed, AnalysedAct } from '../wire';
import { hintsOf } from './marks';

function act(text: string, worth: number, line: string[] = [text]): AnalysedAct {
  return { act: text, worth: [1 - worth, worth], visits: 1, exact: false, line };
}

function found(...candidates: AnalysedAct[]): Analysed {
  return {
    type: 'analysed',
    seq: 1,
    simulations: 9,
    last: true,
    seat: 1,
    worth: [],
    exact: false,
    candidates,
    outcomes: [],
  };
}

function shown(analysis: Analysed, chosen: string | null = null): string[] {
  return hintsOf(analysis, chosen).map(({ text, label, rank }) => `${text} ${label} ${rank}`);
}

describe('highlights', () => {
  it('label each target with its value, and have arrows for acts nearly as good as the best, which is on top', () => {
    const analysis = found(act('pass', 0.9), act('S@b1', 0.62), act('L@b1', 0.6), act('b2-c3', 0.58), act('M@a1', 0.3));
    expect(shown(analysis)).toEqual(['M@a1 30 other', 'b2-c3 58 good', 'S@b1 62 best']);
    const ways = found(act('a1-b1', 0.62), act('c1-b1', 0.6), act('d1-b1', 0.4));
    expect(shown(ways)).toEqual(['c1-b1 60 good', 'a1-b1 62 best']);
    expect(shown(found(act('S@b1', 0.9), act('L@b2', 0.2)))).toEqual(['L@b2 20 other', 'S@b1 90 best']);
  });

  it('are only the best acts if there are many targets', () => {
    const many = Array.from({ length: 20 }, (_, i) => act(`S@a${i}`, 0.5 - i / 1000));
    expect(shown(found(...many))).toEqual(['S@a2 50 good', 'S@a1 50 good', 'S@a0 50 best']);
  });

  it('number the acts of the chosen line', () => {
    const line = ['S@b1', 'end', 'a1-b1', 'b1-c1', 'L@d1'];
    expect(shown(found(act('M@a1', 0.6), act('S@b1', 0.5, line)), 'S@b1')).toEqual([
      '3 b1-c1 4. good',
      '0 S@b1 1. best',
    ]);
  });

  it('are empty if no act has a space', () => {
    expect(shown(found(act('end', 0.5)))).toEqual([]);
  });
});
