import { expect, it } from 'vitest';
import { people } from '../app/fixtures';
import type { PlaytestTable } from '../wire';
import { figures, median, tableWords } from './figures';

const TABLE: PlaytestTable = {
  table: 'k7m2',
  created: 0,
  seats: people('Ann', 'Ben'),
  acts: 20,
  over: true,
  winners: [0],
  scores: [5, 3],
  thinking: [4, 6],
  remarks: [],
};

it('compares people with bots', () => {
  const tables = [TABLE, { ...TABLE, acts: 30, winners: [0, 1] }, { ...TABLE, over: false, winners: [] }];
  const report = { title: 'Canals', options: {}, tables, bots: { games: 20, acts: 27, shares: [0.4, 0.6] } };
  expect(figures(report).map(({ label, people, bots }) => `${label}: ${people}, ${bots}`)).toEqual([
    'Games played to the end: 2 of 3, 20',
    'Moves in a game: 25, 27',
    'Wins of seat 1: 75%, 40%',
    'Wins of seat 2: 25%, 60%',
    'Seconds for a move: 5, –',
  ]);
});

it('has no values before the first game', () => {
  const report = { title: 'Canals', options: {}, tables: [] };
  expect(figures(report).map(({ people, bots }) => `${people} ${bots}`)).toEqual(['0 of 0 –', '– –', '– –']);
});

it.each([
  [TABLE, 'Ann, Ben: Ann won, 5 to 3'],
  [{ ...TABLE, winners: [0, 1], scores: [] }, 'Ann, Ben: Ann and Ben won'],
  [{ ...TABLE, winners: [], scores: [0, 0] }, 'Ann, Ben: nobody won, 0 to 0'],
  [{ ...TABLE, over: false }, 'Ann, Ben: under way'],
])('describes a table', (table, words) => {
  expect(tableWords(table)).toBe(words);
});

it('computes medians', () => {
  expect([median([]), median([3]), median([1, 9, 2]), median([4, 1, 2, 3])]).toEqual([undefined, 3, 2, 2.5]);
});
