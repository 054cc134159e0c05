import { expect, it } from 'vitest';
import { clockWords, isLow, timeWords, playedWords } from './clocks';

it.each([
  [300_000, '5:00'],
  [299_001, '5:00'],
  [299_000, '4:59'],
  [61_000, '1:01'],
  [10_000, '0:10'],
  [9_999, '10.0'],
  [9_400, '9.4'],
  [1, '0.1'],
  [0, '0.0'],
  [3_599_000, '59:59'],
  [3_599_001, '1:00:00'],
  [3_723_000, '1:02:03'],
])('%d ms read "%s"', (left, words) => {
  expect(timeWords(left)).toBe(words);
});

it.each([
  [{ per: 'act', seconds: 30, increment: 0 }, 10_000],
  [{ per: 'game', seconds: 300, increment: 5 }, 30_000],
  [{ per: 'game', seconds: 60, increment: 0 }, 20_000],
] as const)('with %j little is left from %d ms on', (clock, bound) => {
  expect(isLow(clock, bound)).toBe(true);
  expect(isLow(clock, bound + 1)).toBe(false);
});

it.each([
  [{ per: 'act', seconds: 30, increment: 0 }, '30 s per move'],
  [{ per: 'act', seconds: 90, increment: 0 }, '1 min 30 s per move'],
  [{ per: 'game', seconds: 300, increment: 5 }, '5 min + 5 s per move'],
  [{ per: 'game', seconds: 3600, increment: 0 }, '60 min per game'],
] as const)('%j reads "%s"', (clock, words) => {
  expect(clockWords(clock)).toBe(words);
});

it('tells the time since play began', () => {
  expect([0, 59_999, 187_000].map(playedWords)).toEqual(['0:00', '0:59', '3:07']);
});
