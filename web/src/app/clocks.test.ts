import { expect, it, vi } from 'vitest';
import { clockWords, dateWords, daysWords, isLow, momentWords, playedWords, timeOfDay, timeWords } from './clocks';

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
] as const)('with %j time is low from %d ms on', (clock, bound) => {
  expect(isLow(clock, bound)).toBe(true);
  expect(isLow(clock, bound + 1)).toBe(false);
});

it.each([
  [{ per: 'act', seconds: 30, increment: 0 }, '30 s per move'],
  [{ per: 'act', seconds: 90, increment: 0 }, '1 min 30 s per move'],
  [{ per: 'game', seconds: 300, increment: 5 }, '5 min + 5 s per move'],
  [{ per: 'game', seconds: 3600, increment: 0 }, '60 min per game'],
  [{ per: 'act', seconds: 86_400, increment: 0 }, '1 day per move'],
  [{ per: 'act', seconds: 1_209_600, increment: 0 }, '14 days per move'],
] as const)('%j reads "%s"', (clock, words) => {
  expect(clockWords(clock)).toBe(words);
});

const HOUR = 3_600_000;

it.each([
  [48 * HOUR, '2 days'],
  [48 * HOUR - 1, '2 days'],
  [47 * HOUR, '1 day 23 h'],
  [24 * HOUR + 1, '1 day 1 h'],
  [5 * HOUR, '5 h'],
  [HOUR + 1, '2 h'],
  [HOUR, '60 min'],
  [1, '1 min'],
  [0, '0 min'],
])('%d ms of days read "%s"', (left, words) => {
  expect(daysWords(left)).toBe(words);
});

it('a moment has its time of day, and its day unless that is today', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 26, 12) });
  const words = (day: number): string => momentWords(new Date(2026, 10, day, 18, 5).getTime());
  const time = timeOfDay(new Date(2026, 10, 26, 18, 5));
  expect(time).toMatch(/^(18:05|6:05 PM)$/);
  expect(words(26)).toBe(time);
  expect(dateWords(new Date(2026, 10, 20, 18, 5).getTime())).toContain(time);
  expect(dateWords(new Date(2025, 10, 20, 18, 5).getTime())).toContain('2025');
  expect(words(28)).toContain(new Date(2026, 10, 28).toLocaleString(undefined, { weekday: 'short' }));
  expect(words(35)).toContain(new Date(2026, 11, 5).toLocaleString(undefined, { month: 'short' }));
  vi.useRealTimers();
});

it('formats the time since the start of play', () => {
  expect([0, 59_999, 187_000].map(playedWords)).toEqual(['0:00', '0:59', '3:07']);
});
