import { describe, expect, it } from 'vitest';
import type { Review, ReviewedAct } from '../wire';
import { betterHints, betterWords, subject } from './better';

function act(text: string, best: string | null, label: ReviewedAct['label'] = null): ReviewedAct {
  const none = [0, 0];
  return {
    seat: 0,
    act: text,
    kind: 'decision',
    best,
    line: [],
    regret: 0,
    gifts: none,
    luck: none,
    drift: none,
    stake: 0,
    label,
  };
}

function review(...acts: ReviewedAct[]): Review {
  return { type: 'turns', simulations: 1, seed: 0, positions: [], acts, seats: [], costliest: [], ended: null };
}

describe('the better act', () => {
  const found = review(act('a1-a2', 'a1-a2'), act('c3-b1', 'c3-c4', 'blunder'), act('b2-b3', 'S@b1', 'inaccuracy'));

  it('replaces the act before the position, else the next one', () => {
    expect([0, 1, 2, 3, 4].map((seq) => subject(found, seq))).toEqual([undefined, 1, 1, 2, undefined]);
    expect(subject(review(act('roll:3', null, 'blunder')), 1)).toBeUndefined();
  });

  it('is described in words', () => {
    const kinds = { S: 'small' };
    expect(betterWords(found, 1, 2, kinds)).toBe('Blunder: c3–c4 was best.');
    expect(betterWords(found, 2, 2, kinds)).toBe('Next, b2–b3 is an inaccuracy: small on b1 is best.');
    expect(betterWords(found, 1, 1, kinds)).toBe('Next, c3–b1 is a blunder: c3–c4 is best.');
  });

  it('is shown over the played act, each with its own label', () => {
    expect(betterHints(found.acts[1]!)).toMatchObject([
      { from: 'c3', to: 'b1', label: '??', rank: 'played', tone: 'blunder' },
      { from: 'c3', to: 'c4', label: 'best', rank: 'best' },
    ]);
    expect(betterHints(found.acts[0]!)).toEqual([]);
  });

  it('hides no label if both acts have the same target', () => {
    expect(betterHints(act('M@b1', 'S@b1', 'mistake')).map(({ label }) => label)).toEqual(['best']);
    expect(betterHints(act('a1-b1', 'a2-b1', 'mistake')).map(({ label }) => label)).toEqual(['', 'best']);
  });
});
