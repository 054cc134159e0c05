import { describe, expect, it } from 'vitest';
import { people, SUMMARY } from '../app/fixtures';
import type { StoredTable } from '../app/tables';
import type { Summary } from '../wire';
import { estimate, expected, ratings, ratingWords, resultsOf, type Result } from './ratings';

function games(place: number, ...shares: number[]): Result[] {
  return shares.map((share) => ({ place, share, weight: 1 }));
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

/** A finished game of the reader, at seat 0, against the computer. */
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
  it('begins in the middle', () => {
    expect(estimate([], 400).rating).toBeCloseTo(400, 2);
  });

  it('knows the scale: ten wins of eleven are 400 points', () => {
    expect(expected(0)).toBe(0.5);
    expect(expected(400)).toBeCloseTo(10 / 11, 12);
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

  it('grows with each share that is won, and with the strength of the opponents', () => {
    const won = [0, 1, 2, 3, 4, 5].map((wins) => games(200, ...Array.from({ length: 5 }, (_, i) => Number(i < wins))));
    const byWins = won.map((results) => estimate(results, 400).rating);
    expect(byWins).toEqual([...byWins].sort((one, other) => one - other));
    const byPlace = [0, 200, 400, 600, 800].map((place) => estimate(games(place, 1, 0, 0.5), 400).rating);
    expect(byPlace).toEqual([...byPlace].sort((one, other) => one - other));
    expect(new Set([...byWins, ...byPlace]).size).toBe(11);
  });

  it('is symmetrical: wins and losses changed, upside down, mirror it', () => {
    const results = [...games(0, 1, 1, 0), ...games(600, 0, 0.5), ...games(800, 1)];
    const mirrored = results.map(({ place, share, weight }) => ({ place: 800 - place, share: 1 - share, weight }));
    const [one, other] = [estimate(results, 400), estimate(mirrored, 400)];
    expect(one.rating + other.rating).toBeCloseTo(800, 2);
    expect(one.error).toBeCloseTo(other.error, 2);
  });

  it('is the surer the more games there are', () => {
    const errors = [0, 3, 10, 50].map((length) => estimate(games(400, ...Array<number>(length).fill(0.5)), 400).error);
    expect(errors[0]).toBeCloseTo(800 / Math.LN10 / Math.SQRT2, 6);
    expect(errors).toEqual([...errors].sort((one, other) => other - one));
  });
});

describe('what a game tells', () => {
  it('one against the computer, and nothing else', () => {
    const one = finished('a', ['skilled'], [0]);
    expect(resultsOf(table('a'), one, LEVELS)).toEqual([{ place: 400, share: 1, weight: 1 }]);
    expect(resultsOf(table('a', { helped: true }), one, LEVELS)).toEqual([]);
    expect(resultsOf(table('a'), { ...one, over: false }, LEVELS)).toEqual([]);
    expect(resultsOf(table('a'), finished('a', [], [0]), LEVELS)).toEqual([]);
    expect(resultsOf(table('a'), finished('a', ['unheard of'], [0]), LEVELS)).toEqual([]);
    for (const change of [{ kind: 'person' as const }, { mine: true }]) {
      const seats = one.seats.map((seat) => (seat.seat === 1 ? { ...seat, ...change } : seat));
      expect(resultsOf(table('a'), { ...one, seats }, LEVELS)).toEqual([]);
    }
  });

  it.each([
    ['a win', [0], [1, 1]],
    ['a loss', [1], [0, 0.5]],
    ['a shared win', [0, 2], [1, 0.5]],
    ['a draw', [0, 1, 2], [0.5, 0.5]],
    ['no winner', [], [0.5, 0.5]],
  ])('with three players: %s', (_, winners, shares) => {
    const results = resultsOf(table('a'), finished('a', ['beginner', 'master'], winners), LEVELS);
    expect(results.map(({ share }) => share)).toEqual(shares);
    expect(results.map(({ place }) => place)).toEqual([0, 800]);
    expect(results.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
  });
});

describe('the ratings', () => {
  it('come from three games on, for each number of players', () => {
    const all = [
      ...['a', 'b', 'c'].map((id, i) => finished(id, ['skilled'], [i % 2], { when: i })),
      ...['d', 'e', 'f', 'g'].map((id) => finished(id, ['master', 'master'], [0], { when: 9 })),
      ...['h', 'i'].map((id) => finished(id, ['casual'], [0], { game: 'other', title: 'Other' })),
    ];
    const tables = all.map(({ id }) => table(id));
    const told = ratings(tables, new Map(all.map((one) => [one.id, one])), GAMES);
    expect(told.map(({ title, players, games }) => [title, players, games])).toEqual([
      ['Frogs', 3, 4],
      ['Frogs', 2, 3],
    ]);
    expect(told.map(ratingWords)).toEqual([
      'Frogs with 3 players: you play like MASTER or better – after 4 games, give or take two levels.',
      'Frogs: you play like SKILLED – after 3 games, give or take two levels.',
    ]);
    expect(ratings(tables, new Map(), GAMES)).toEqual([]);
  });

  it('end with the strongest level and with the weakest', () => {
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
