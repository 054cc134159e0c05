import { describe, expect, it } from 'vitest';
import { people } from '../../app/fixtures';
import type { Ending } from '../../wire';
import { TABLE } from './fixtures';
import { nextGameWords, sumWords } from './pair';

const PAIR = { ...TABLE, seats: people('Ann', 'Ben'), pair: true };

function after(games: number, scores: number[], leaders: number[]): Ending {
  return { secret: '', standing: { games, scores, leaders, ratings: null }, reason: null, link: '', reviewable: true };
}

describe('a match', () => {
  const FIRST_TO_3 = { ...PAIR, pair: false, match: { until: 'wins', number: 3 } as const };
  const FIVE = { ...PAIR, pair: false, match: { until: 'games', number: 5 } as const };

  function standing(games: number, wins: number[], winners?: number[]): Ending {
    const ending = after(games, [12, 9], [0]);
    return { ...ending, standing: { ...ending.standing, wins, ...(winners ? { match_winners: winners } : {}) } };
  }

  it('goes on until it is won', () => {
    expect(nextGameWords(FIRST_TO_3, standing(2, [1, 1]))).toBe('Next game');
    expect(sumWords(FIRST_TO_3, standing(2, [1, 1]))).toBe('Match, first to 3 wins: 1–1');
    expect(sumWords(FIRST_TO_3, standing(1, [1, 0]))).toBe('Match, first to 3 wins: you lead 1–0');
    expect(sumWords(FIRST_TO_3, standing(3, [0.5, 2.5]))).toBe('Match, first to 3 wins: Ben leads 2.5–0.5');
    expect(sumWords(FIVE, standing(2, [1, 1]))).toBe('Game 2 of 5: you lead 12–9 on points (games won 1–1)');
    const three = { ...FIRST_TO_3, seats: people('Ann', 'Ben', 'Cem') };
    expect(sumWords(three, standing(2, [1, 1, 0]))).toBe('Match, first to 3 wins: You: 1, Ben: 1, Cem: 0');
  });

  it('says who has won it, and by what', () => {
    expect(nextGameWords(FIRST_TO_3, standing(4, [3, 1], [0]))).toBe('New match');
    expect(sumWords(FIRST_TO_3, standing(4, [3, 1], [0]))).toBe('You win the match 3–1');
    expect(sumWords(FIRST_TO_3, standing(4, [1, 3], [1]))).toBe('Ben wins the match 3–1');
    expect(sumWords(FIVE, standing(5, [3, 2], [0, 1]))).toBe('The match is a draw, 12–9 on points (games won 3–2)');
    const tied = after(5, [12, 12], [1]);
    expect(sumWords(FIVE, { ...tied, standing: { ...tied.standing, match_winners: [1] } })).toBe(
      'Ben wins the match by the tie-break, 12–12 on points',
    );
    expect(sumWords({ ...FIVE, seats: people('Ann') }, standing(5, [5], [0]))).toBe(
      'The match is over – 12 points in 5 games',
    );
  });
});

describe('a pair of games', () => {
  it('offers the second game with seats changed, and only that', () => {
    expect(nextGameWords(PAIR, after(1, [7, 9], [1]))).toBe('Play game 2');
    expect(nextGameWords(PAIR, after(2, [16, 12], [0]))).toBe('Rematch');
    expect(nextGameWords({ ...PAIR, pair: false }, after(1, [7, 9], [1]))).toBe('Rematch');
  });

  it('is decided by the sum', () => {
    expect(sumWords(PAIR, after(1, [7, 9], [1]))).toBe('Game 2 of 2: you swap seats');
    expect(sumWords(PAIR, after(2, [16, 12], [0]))).toBe('Both games – You: 16, Ben: 12 – you win the pair');
    expect(sumWords(PAIR, after(2, [12, 16], [1]))).toBe('Both games – You: 12, Ben: 16 – Ben wins the pair');
    expect(sumWords(PAIR, after(2, [12, 12], [0, 1]))).toBe('Both games – You: 12, Ben: 12 – the pair is a draw');
    expect(sumWords({ ...PAIR, pair: false }, after(2, [16, 12], [0]))).toBe('After 2 games – You: 16, Ben: 12');
  });
});
