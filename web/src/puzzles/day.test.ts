import { expect, it } from 'vitest';
import { dayOf, ofTheDay } from './day';

it('counts dates of the calendar on the wall, not hours', () => {
  const days = [new Date(2026, 2, 28), new Date(2026, 2, 29, 1), new Date(2026, 2, 29, 23, 59), new Date(2026, 2, 30)];
  const first = dayOf(days[0]!);
  expect(days.map((date) => dayOf(date) - first)).toEqual([0, 1, 1, 2]);
});

it.each([1, 2, 3, 10, 60, 97])('comes to each of %i puzzles before any comes again', (length) => {
  const puzzles = Array.from({ length }, (_, i) => i);
  const days = Array.from({ length }, (_, i) => ofTheDay(puzzles, 20_000 + i));
  expect(new Set(days).size).toBe(length);
  expect(ofTheDay(puzzles, 20_000 + length)).toBe(days[0]);
});

it('leaves neighbours of a collection for other days', () => {
  const puzzles = Array.from({ length: 60 }, (_, i) => i);
  expect(Math.abs(ofTheDay(puzzles, 20_001)! - ofTheDay(puzzles, 20_000)!)).toBeGreaterThan(5);
  expect(ofTheDay([], 20_000)).toBeUndefined();
});
