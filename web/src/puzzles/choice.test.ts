import { expect, it } from 'vitest';
import type { PuzzleCollection, PuzzleListed } from '../wire';
import { addressOf, type Choice, chosen, levelWays, levelWords, nextOf, optionWords, themeWays } from './choice';

function puzzle(name: string, level: string | null, ...themes: string[]): PuzzleListed {
  return { name, level, themes, task: 'Find it.', seat: 0, options: {}, waits: false };
}

const levels = ['easy', 'hard'].map((name) => ({ name, title: name.toUpperCase(), about: '' }));
const puzzles = [
  puzzle('a', 'easy', 'piece', 'wins'),
  puzzle('b', 'hard', 'piece'),
  puzzle('c', null, 'piece', 'fall'),
  puzzle('d', 'easy', 'piece', 'wins', 'fall'),
];
const collection: PuzzleCollection = { game: 'squad', title: 'Squad', levels, puzzles };
const ALL: Choice = { level: null, theme: null };
const names = (some: PuzzleListed[]) => some.map(({ name }) => name).join('');
const solved = (some: string) => [...some].map((name) => ({ name, result: 'solved' as const }));

it.each([
  [null, null, 'abcd'],
  ['easy', null, 'ad'],
  ['beyond', null, 'c'],
  [null, 'fall', 'cd'],
  ['easy', 'fall', 'd'],
  ['hard', 'fall', ''],
  ['none such', null, ''],
])('level %s and theme %s leave %s', (level, theme, left) => {
  expect(names(chosen(puzzles, { level, theme }))).toBe(left);
});

it('offers the levels that there are, with the number of puzzles', () => {
  const ways = levelWays(collection, 'fall').map(({ label, count }) => `${label} ${count}`);
  expect(ways).toEqual(['All 2', 'EASY 1', 'HARD 0', 'Beyond HARD 1']);
});

it('offers the themes that tell puzzles apart', () => {
  const ways = themeWays(collection, 'easy').map(({ label, count }) => `${label} ${count}`);
  expect(ways).toEqual(['All 2', 'Wins 2', 'Fall 1']);
});

it('tells how it is played where that is not as usual, but not what is so everywhere', () => {
  const [one, other] = [
    { ...puzzles[0]!, options: { board: 'big_star', trios: true, memory: 'off' } },
    { ...puzzles[1]!, options: { memory: 'off' } },
  ];
  expect(optionWords(one, [one, other])).toEqual(['Board: big star', 'Trios: yes']);
  expect(optionWords(other, [one, other])).toEqual([]);
});

it('has words for a level that it does not know', () => {
  expect(levelWords([], 'some_level')).toBe('Some level');
  expect(levelWords([], 'beyond')).toBe('Beyond all levels');
});

it('goes on with what was not tried, from here on and round, then with what failed', () => {
  const next = (tries: Parameters<typeof nextOf>[2], after: string | null, choice = ALL) =>
    nextOf(puzzles, choice, tries, after)?.name;
  expect(next([], null)).toBe('a');
  expect(next(solved('a'), 'a')).toBe('b');
  expect(next(solved('cd'), 'b')).toBe('a');
  expect(next(solved('a'), 'a', { level: 'easy', theme: null })).toBe('d');
  expect(next([...solved('abd'), { name: 'c', result: 'failed' }], 'd')).toBe('c');
  expect(next([...solved('abd'), { name: 'c', result: 'failed' }], 'c')).toBeUndefined();
  expect(next([...solved('abd'), { name: 'c', result: 'late' }], null)).toBeUndefined();
});

it('keeps the choice in addresses', () => {
  expect(addressOf('squad', ALL)).toBe('puzzles/squad');
  expect(addressOf('squad', { level: 'easy', theme: 'two stunts' }, puzzles[1])).toBe(
    'puzzles/squad/b?level=easy&theme=two+stunts',
  );
});
