import { expect, it } from 'vitest';
import { dayOf, puzzleOfTheDay } from './day';

it('counts local dates, not hours', () => {
  const days = [new Date(2026, 2, 28), new Date(2026, 2, 29, 1), new Date(2026, 2, 29, 23, 59), new Date(2026, 2, 30)];
  const first = dayOf(days[0]!);
  expect(days.map((date) => dayOf(date) - first)).toEqual([0, 1, 1, 2]);
});

it.each([1, 2, 3, 10, 60, 97])('shows each of %i puzzles before any repeats', (length) => {
  const puzzles = Array.from({ length }, (_, i) => i);
  const days = Array.from({ length }, (_, i) => puzzleOfTheDay(puzzles, 20_000 + i));
  expect(new Set(days).size).toBe(length);
  expect(puzzleOfTheDay(puzzles, 20_000 + length)).toBe(days[0]);
});

it('keeps neighbours in a collection apart', () => {
  const puzzles = Array.from({ length: 60 }, (_, i) => i);
  expect(Math.abs(puzzleOfTheDay(puzzles, 20_001)! - puzzleOfTheDay(puzzles, 20_000)!)).toBeGreaterThan(5);
  expect(puzzleOfTheDay([], 20_000)).toBeUndefined();
});
