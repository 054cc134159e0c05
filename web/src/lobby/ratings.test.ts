import { describe, expect, it } from 'vitest';
import { people, SUMMARY } from '../app/fixtures';
import type { StoredTable } from '../app/tables';
import type { Summary } from '../wire';
import { estimate, expectedScore, ratings, ratingWords, resultsOf, type Result } from './ratings';

function games(opponent: number, ...scores: number[]): Result[] {
  return scores.map((score) => ({ opponent, score, weight: 1 }));
}

function table(id: string, change: Partial<StoredTable> = {}): StoredTable {
  return { id, game: 'frogs', title: 'Frogs', names: [], when: 1, codes: ['c'], ...change };
}

const LEVELS = ['beginner', 'casual', 'skilled', 'expert', 'master'].map((name) => ({
  name,
  title: name.toUpperCase(),
  about: '',
}));
const GAMES = [
  { name: 'frogs', levels: LEVELS },
  { name: 'other', levels: LEVELS.slice(0, 2) },
];

const [ME] = people('Ann');

/** A finished game of Ann, at seat 0, against the computer. */
function finished(id: string, levels: string[], winners: number[], change: Partial<Summary> = {}): Summary {
  const bots = levels.map((level, i) => ({ ...ME, seat: i + 1, kind: 'bot' as const, level, mine: false }));
  return {
    ...SUMMARY,
    id,
    game: 'frogs',
    title: 'Frogs',
    seats: [ME, ...bots],
    length: 9,
    when: 1,
    to_act: [],
    over: true,
    winners,
    ended_by: 'F-1',
    ...change,
  };
}

describe('the estimate', () => {
  it('starts in the middle', () => {
    expect(estimate([], 400).rating).toBeCloseTo(400, 2);
  });

  it('uses the Elo scale: ten wins of eleven are 400 points', () => {
    expect(expectedScore(0)).toBe(0.5);
    expect(expectedScore(400)).toBeCloseTo(10 / 11, 12);
    const many = games(0, ...Array.from({ length: 1100 }, (_, i) => Number(i % 11 > 0)));
    expect(estimate(many, 400).rating).toBeCloseTo(400, 0);
  });

  it.each([
    ['three wins against the middle', games(400, 1, 1, 1), 400 + 400 * Math.log10(4)],
    ['three losses against the middle', games(400, 0, 0, 0), 400 - 400 * Math.log10(4)],
    ['draws with the middle', games(400, 0.5, 0.5), 400],
    ['nine wins of eleven', games(400, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0), 400 + 400 * Math.log10(10 / 3)],
  ])('%s', (_, results, rating) => {
    expect(estimate(results, 400).rating).toBeCloseTo(rating, 2);
  });

  it('grows with the score and with the strength of the opponents', () => {
    const won = [0, 1, 2, 3, 4, 5].map((wins) => games(200, ...Array.from({ length: 5 }, (_, i) => Number(i < wins))));
    const byWins = won.map((results) => estimate(results, 400).rating);
    expect(byWins).toEqual([...byWins].sort((a, b) => a - b));
    const byOpponent = [0, 200, 400, 600, 800].map((opponent) => estimate(games(opponent, 1, 0, 0.5), 400).rating);
    expect(byOpponent).toEqual([...byOpponent].sort((a, b) => a - b));
    expect(new Set([...byWins, ...byOpponent]).size).toBe(11);
  });

  it('is symmetric in wins and losses', () => {
    const results = [...games(0, 1, 1, 0), ...games(600, 0, 0.5), ...games(800, 1)];
    const mirrored = results.map(({ opponent, score, weight }) => ({
      opponent: 800 - opponent,
      score: 1 - score,
      weight,
    }));
    const [given, opposite] = [estimate(results, 400), estimate(mirrored, 400)];
    expect(given.rating + opposite.rating).toBeCloseTo(800, 2);
    expect(given.error).toBeCloseTo(opposite.error, 2);
  });

  it('has a smaller error after more games', () => {
    const errors = [0, 3, 10, 50].map((length) => estimate(games(400, ...Array<number>(length).fill(0.5)), 400).error);
    expect(errors[0]).toBeCloseTo(800 / Math.LN10 / Math.SQRT2, 6);
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
  });
});

describe('the results of a game', () => {
  it('count for one person against the computer only', () => {
    const game = finished('a', ['skilled'], [0]);
    expect(resultsOf(table('a'), game, LEVELS)).toEqual([{ opponent: 400, score: 1, weight: 1 }]);
    expect(resultsOf(table('a', { helped: true }), game, LEVELS)).toEqual([]);
    expect(resultsOf(table('a'), { ...game, over: false }, LEVELS)).toEqual([]);
    expect(resultsOf(table('a'), finished('a', [], [0]), LEVELS)).toEqual([]);
    expect(resultsOf(table('a'), finished('a', ['unknown'], [0]), LEVELS)).toEqual([]);
    for (const change of [{ kind: 'person' as const }, { mine: true }]) {
      const seats = game.seats.map((seat) => (seat.seat === 1 ? { ...seat, ...change } : seat));
      expect(resultsOf(table('a'), { ...game, seats }, LEVELS)).toEqual([]);
    }
  });

  it.each([
    ['a win', [0], [1, 1]],
    ['a loss', [1], [0, 0.5]],
    ['a shared win', [0, 2], [1, 0.5]],
    ['a draw', [0, 1, 2], [0.5, 0.5]],
    ['no winner', [], [0.5, 0.5]],
  ])('with three players: %s', (_, winners, scores) => {
    const results = resultsOf(table('a'), finished('a', ['beginner', 'master'], winners), LEVELS);
    expect(results.map(({ score }) => score)).toEqual(scores);
    expect(results.map(({ opponent }) => opponent)).toEqual([0, 800]);
    expect(results.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
  });
});

describe('the ratings', () => {
  it('need three games with a number of players', () => {
    const all = [
      ...['a', 'b', 'c'].map((id, i) => finished(id, ['skilled'], [i % 2], { when: i })),
      ...['d', 'e', 'f', 'g'].map((id) => finished(id, ['master', 'master'], [0], { when: 9 })),
      ...['h', 'i'].map((id) => finished(id, ['casual'], [0], { game: 'other', title: 'Other' })),
    ];
    const tables = all.map(({ id }) => table(id));
    const rated = ratings(tables, new Map(all.map((game) => [game.id, game])), GAMES);
    expect(rated.map(({ title, players, games }) => [title, players, games])).toEqual([
      ['Frogs', 3, 4],
      ['Frogs', 2, 3],
    ]);
    expect(rated.map(ratingWords)).toEqual([
      'Frogs with 3 players: you play like MASTER or better – after 4 games, give or take two levels.',
      'Frogs: you play like SKILLED – after 3 games, give or take two levels.',
    ]);
    expect(ratings(tables, new Map(), GAMES)).toEqual([]);
  });

  it('are named by levels, even beyond the strongest and the weakest', () => {
    const rating = { game: 'frogs', title: 'Frogs', levels: LEVELS, players: 2, games: 90, when: 1, error: 30 };
    expect(ratingWords({ ...rating, rating: -150 })).toBe(
      'Frogs: you play like BEGINNER – after 90 games, give or take a level.',
    );
    expect(ratingWords({ ...rating, rating: 899 })).toBe(
      'Frogs: you play like MASTER – after 90 games, give or take a level.',
    );
    expect(ratingWords({ ...rating, rating: 901 })).toBe(
      'Frogs: you play like MASTER or better – after 90 games, give or take a level.',
    );
  });
});
