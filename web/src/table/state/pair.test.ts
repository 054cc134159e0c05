import { describe, expect, it } from 'vitest';
import { people } from '../../app/fixtures';
import type { Ending } from '../../wire';
import { TABLE } from './fixtures';
import { nextGameWords, sumWords } from './pair';

const PAIR = { ...TABLE, seats: people('Ann', 'Ben'), pair: true };

function after(games: number, scores: number[], leaders: number[]): Ending {
  return { secret: '', standing: { games, scores, leaders, ratings: null }, reason: null, link: '', reviewable: true };
}

describe('a pair of games', () => {
  it('offers the second game with seats changed, and only that', () => {
    expect(nextGameWords(PAIR, after(1, [7, 9], [1]))).toBe('Second game');
    expect(nextGameWords(PAIR, after(2, [16, 12], [0]))).toBe('Rematch');
    expect(nextGameWords({ ...PAIR, pair: false }, after(1, [7, 9], [1]))).toBe('Rematch');
  });

  it('is decided by the sum', () => {
    expect(sumWords(PAIR, after(1, [7, 9], [1]))).toBe('Seats change for the second game');
    expect(sumWords(PAIR, after(2, [16, 12], [0]))).toBe('Both games – You: 16, Ben: 12 – you win the pair');
    expect(sumWords(PAIR, after(2, [12, 16], [1]))).toBe('Both games – You: 12, Ben: 16 – Ben wins the pair');
    expect(sumWords(PAIR, after(2, [12, 12], [0, 1]))).toBe('Both games – You: 12, Ben: 12 – the pair is a draw');
    expect(sumWords({ ...PAIR, pair: false }, after(2, [16, 12], [0]))).toBe('After 2 games – You: 16, Ben: 12');
  });
});
