import { describe, expect, it } from 'vitest';
import type { PuzzleCollection, PuzzleListed } from '../wire';
import { dailyPuzzle, dayOf, ownLevel, puzzleOfTheDay } from './day';

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

describe('the puzzle of the day of a user', () => {
  const levels = ['easy', 'hard'].map((name) => ({ name, title: name, about: '' }));
  const puzzles = Array.from({ length: 12 }, (_, i): PuzzleListed => ({
    name: `p${i}`,
    level: i % 2 ? 'easy' : 'hard',
    themes: [],
    task: '',
    seat: 0,
    options: {},
    waits: false,
  }));
  const collection = (game: string): PuzzleCollection => ({ game, title: '', levels, puzzles });
  const solved = (...names: string[]) => names.map((name) => ({ name, result: 'solved' as const }));

  it('is easy at first, and harder after some solved ones', () => {
    const one = collection('one');
    expect(ownLevel(one, [])).toBe('easy');
    expect(ownLevel(one, solved('p1', 'p3'))).toBe('easy');
    expect(ownLevel(one, solved('p1', 'p3', 'p5'))).toBe('hard');
    const failed = ['p7', 'p9', 'p11'].map((name) => ({ name, result: 'failed' as const }));
    expect(ownLevel(one, [...solved('p1', 'p3', 'p5'), ...failed])).toBe('easy');
    expect(ownLevel(one, solved('p0', 'p1', 'p2', 'p3', 'p4', 'p5'))).toBe('hard');
    expect(ownLevel({ ...one, puzzles: [] }, [])).toBeUndefined();
  });

  it('stays for its day', () => {
    const one = collection('two');
    const first = dailyPuzzle(one, 20_000, []);
    expect(first?.level).toBe('easy');
    const better = solved('p1', 'p3', 'p5');
    expect(dailyPuzzle(one, 20_000, better)).toBe(first);
    expect(dailyPuzzle(one, 20_001, better)?.level).toBe('hard');
  });
});
