import { expect, it } from 'vitest';
import { people, SUMMARY } from '../app/fixtures';
import type { StoredTable } from '../app/tables';
import type { Seat, Summary } from '../wire';
import { awaitsNext, rows, sentence, surplus, unsettled } from './your-games';

function table(id: string, when: number): StoredTable {
  return { id, game: 'game', title: 'Game', names: ['Ann', 'Ben'], when, codes: ['c'] };
}

const [ANN, BEN, CEM] = people('Ann', 'Ben', 'Cem');

function summariesOf(...summaries: Partial<Summary>[]): Map<string, Summary> {
  return new Map(summaries.map((summary) => [summary.id!, { ...SUMMARY, ...summary }]));
}

const NONE: ReadonlySet<string> = new Set();
const BOT: Seat = { ...BEN, name: 'Computer', kind: 'bot', level: 'skilled' };

it('sorts games by your turn, in progress and over', () => {
  const tables = ['over', 'theirs', 'mine', 'older', 'unknown'].map((id, i) => table(id, i));
  const summaries = summariesOf(
    { id: 'over', over: true, winners: [0], scores: [51, 5], to_act: [], when: 99 },
    { id: 'theirs', to_act: [1], when: 90 },
    { id: 'mine', when: 10 },
    { id: 'older', when: 5 },
  );
  const all = rows(tables, summaries, NONE);
  expect(all.map(({ id, state, action }) => [id, state, action])).toEqual([
    ['mine', 'Your turn', 'Continue'],
    ['older', 'Your turn', 'Continue'],
    ['theirs', 'Ben’s turn', 'Continue'],
    ['unknown', '', 'Continue'],
    ['over', 'You won 51–5', 'Look back'],
  ]);
  expect(all.map(({ names }) => names)).toEqual(['Ben', 'Ben', 'Ben', 'Ann and Ben', 'Ben']);
  expect(sentence(all[0]!)).toMatch(/^Game with Ben – Your turn\. /);
  expect(unsettled(tables, summaries, new Set(['mine']), 3)).toEqual(['theirs', 'older', 'unknown']);
  expect(unsettled(tables, summaries, new Set(['mine']), 9).at(-1)).toBe('over');
});

it('shows the time left, and puts your most urgent turn first', () => {
  const hours = (count: number): number => Date.now() + count * 3_600_000 - 1000;
  const tables = ['without', 'later', 'soon', 'theirs', 'gone'].map((id) => table(id, 1));
  const summaries = summariesOf(
    { id: 'without', when: 9 },
    { id: 'later', when: 8, due: hours(50) },
    { id: 'soon', when: 7, due: hours(5) },
    { id: 'theirs', when: 6, to_act: [1], due: hours(1) },
    { id: 'gone', when: 5, due: hours(-1) },
  );
  const all = rows(tables, summaries, NONE);
  expect(all.map(({ id, left }) => [id, left.split(',')[0]])).toEqual([
    ['gone', 'time is up'],
    ['soon', '5 h left'],
    ['later', '2 days 2 h left'],
    ['without', ''],
    ['theirs', '60 min left'],
  ]);
  expect(sentence(all[1]!)).toMatch(/^Game with Ben – Your turn \(5 h left, until .+\)\. /);
  expect(rows(tables, summaries, new Set(['soon'])).find(({ id }) => id === 'soon')!.left).toBe('');
});

it('says to which match, pair or tournament a game belongs', () => {
  const wins = { until: 'wins', number: 2 } as const;
  const standing = { games: 1, scores: [5, 7], leaders: [0], ratings: null, wins: [0, 1] };
  const seats = people('Ben', 'Ann').map((seat, index) => ({ ...seat, mine: index === 1 }));
  const told = (summary: Partial<Summary>): string =>
    rows([table('k7', 1)], summariesOf({ id: 'k7', seats, ...summary }), NONE)[0]!.series;
  expect(told({})).toBe('');
  expect(told({ match: wins })).toBe('First to 2 wins · game 1');
  expect(told({ match: wins, standing })).toBe('First to 2 wins · game 2 · 1–0');
  expect(told({ match: wins, standing, over: true })).toBe('First to 2 wins · game 1 · 1–0');
  expect(told({ match: { until: 'games', number: 3 }, standing })).toBe('Game 2 of 3 · 7–5');
  expect(told({ pair: true, standing })).toBe('Game 2 of 2');
  expect(told({ tournament: 'cup' })).toBe('Tournament');
});

it('looks for the next game of a match or pair until it is found', () => {
  const standing = { games: 1, scores: [5, 7], leaders: [0], ratings: null };
  const asks = (summary: Partial<Summary>): boolean => awaitsNext({ ...SUMMARY, over: true, standing, ...summary });
  const match = { until: 'wins', number: 2 } as const;
  expect([asks({ match }), asks({ pair: true })]).toEqual([true, true]);
  expect([asks({}), asks({ match, over: false }), asks({ match, next: 't' })]).toEqual([false, false, false]);
  expect(asks({ match, standing: { ...standing, match_winners: [0] } })).toBe(false);
  expect(asks({ pair: true, standing: { ...standing, games: 2 } })).toBe(false);
});

it('lists analysis boards after the games, without a turn', () => {
  const from = { table: 'over', seq: 12 };
  const tables = [table('over', 1), { ...table('copy', 9), from }, table('set up', 8)];
  const all = rows(
    tables,
    summariesOf({ id: 'over', over: true }, { id: 'copy' }, { id: 'set up', explore: true }),
    NONE,
  );
  expect(all.map(({ id, title, state, isTurn, explore }) => [id, title, state, isTurn, explore])).toEqual([
    ['over', 'Game', 'Nobody wins', false, false],
    ['copy', 'Analysis – Game', '', false, true],
    ['set up', 'Analysis – Game', '', false, true],
  ]);
});

it.each([
  [{ started: false, to_act: [], seats: [ANN, { ...BEN, name: '', kind: 'open' }] }, 'Waiting for 1 player'],
  [{ paused: true, to_act: [] }, 'Paused'],
  [{ hidden: true, to_act: [] }, 'In progress'],
  [{ turns: false, to_act: [0, 1] }, 'In progress'],
  [{ over: true, winners: [0, 1], scores: [9, 9], cooperative: true }, 'Won together'],
  [{ over: true, winners: [], scores: [9, 9], cooperative: true }, 'Everyone loses together'],
  [{ over: true, winners: [0], scores: [51, 5] }, 'You won 51–5'],
  [{ over: true, winners: [0], scores: [1, 0] }, 'You won'],
  [{ over: true, winners: [0], reason: 'time' }, 'You won: Ben ran out of time'],
  [{ over: true, winners: [0], reason: 'resign' }, 'You won: Ben resigned'],
  [{ over: true, winners: [1], scores: [3, 5] }, 'Lost 3–5'],
  [{ over: true, winners: [1], reason: 'resign' }, 'Lost: you resigned'],
  [{ over: true, winners: [1], reason: 'time' }, 'Lost on time'],
  [{ over: true, winners: [0, 1], scores: [7, 7] }, 'Drawn 7–7'],
  [{ over: true, winners: [0, 1] }, 'Drawn'],
  [{ over: true, winners: [0, 1], reason: 'draw' }, 'Drawn by agreement'],
  [{ over: true, winners: [], reason: 'record' }, 'An unfinished record'],
  [{ over: true, winners: [] }, 'Nobody wins'],
  [{ over: true, winners: [2], seats: [...SUMMARY.seats, CEM] }, 'Lost: Cem won'],
  [{ over: true, winners: [0, 2], seats: [...SUMMARY.seats, CEM] }, 'You won with Cem'],
  [{ over: true, winners: [0], scores: [12], seats: [ANN] }, 'Game over: 12 points'],
  [{ over: true, winners: [1], seats: [ANN, { ...BEN, mine: true }] }, 'Ben wins'],
] satisfies [Partial<Summary>, string][])('describes %j as "%s"', (change, words) => {
  const [only] = rows([table('a', 1)], summariesOf({ id: 'a', ...change }), NONE);
  expect(only!.state).toBe(words);
  expect(only!.isTurn).toBe(false);
});

it('a spectator sees all names and can watch', () => {
  const seats = SUMMARY.seats.map((seat) => ({ ...seat, mine: false }));
  const [only] = rows([{ ...table('a', 1), codes: [] }], summariesOf({ id: 'a', seats }), NONE);
  expect([only!.names, only!.state, only!.action]).toEqual(['Ann and Ben', 'Ann’s turn', 'Watch']);
});

it('shows the level of the computer', () => {
  const [only] = rows([table('a', 1)], summariesOf({ id: 'a', seats: [ANN, BOT] }), NONE);
  expect(only!.names).toBe('Computer (Skilled)');
});

it('lists deleted games among those that are over', () => {
  const summaries = summariesOf({ id: 'a', to_act: [0], when: 9 }, { id: 'b', to_act: [1], when: 5 });
  const all = rows([table('a', 1), table('b', 1)], summaries, new Set(['a']));
  expect(all.map(({ id, state, isTurn, isMissing }) => [id, state, isTurn, isMissing])).toEqual([
    ['b', 'Ben’s turn', false, false],
    ['a', 'Not finished', false, true],
  ]);
});

it('removes the oldest of too many finished games', () => {
  const tables = ['new', 'old', 'going', 'older'].map((id) => table(id, 1));
  const summaries = summariesOf(
    { id: 'new', over: true, when: 9 },
    { id: 'old', over: true, when: 5 },
    { id: 'going', when: 1 },
    { id: 'older', over: true, when: 2 },
  );
  expect(surplus(tables, summaries, 1).map(({ id }) => id)).toEqual(['old', 'older']);
  expect(surplus(tables, summaries, 3)).toEqual([]);
});
