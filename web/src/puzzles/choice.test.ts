import { expect, it } from 'vitest';
import type { PuzzleCollection, PuzzleListed } from '../wire';
import {
  addressOf,
  type Choice,
  filtered,
  groupsOf,
  levelWords,
  nextPuzzle,
  optionWords,
  themeOptions,
} from './choice';

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
  ['unknown', null, ''],
])('level %s and theme %s match %s', (level, theme, matches) => {
  expect(names(filtered(puzzles, { level, theme }))).toBe(matches);
});

it('groups puzzles by difficulty, with those to solve first', () => {
  const tries = [...solved('a'), { name: 'b', result: 'failed' as const }];
  const told = (theme: string | null): string[] =>
    groupsOf(collection, theme, tries).map(
      ({ title, puzzles: some, solved: count, next }) => `${title}: ${names(some)}, ${count}, ${next?.name}`,
    );
  expect(told(null)).toEqual(['EASY: da, 1, d', 'HARD: b, 0, b', 'Beyond HARD: c, 0, c']);
  expect(told('fall')).toEqual(['EASY: d, 0, d', 'Beyond HARD: c, 0, c']);
});

it('offers the themes that not all puzzles have', () => {
  const options = themeOptions(collection).map(({ label, count }) => `${label} ${count}`);
  expect(options).toEqual(['All 4', 'Wins 2', 'Fall 2']);
});

it('shows the unusual options of a puzzle, except those of all puzzles', () => {
  const [star, plain] = [
    { ...puzzles[0]!, options: { board: 'big_star', trios: true, memory: 'off' } },
    { ...puzzles[1]!, options: { memory: 'off' } },
  ];
  expect(optionWords(star, [star, plain])).toEqual(['Board: big star', 'Trios: yes']);
  expect(optionWords(plain, [star, plain])).toEqual([]);
});

it('names unknown levels', () => {
  expect(levelWords([], 'some_level')).toBe('Some level');
  expect(levelWords([], 'beyond')).toBe('Beyond all levels');
});

it('continues with untried puzzles, from here and then from the start, then with failed ones', () => {
  const next = (tries: Parameters<typeof nextPuzzle>[2], after: string | null, choice = ALL) =>
    nextPuzzle(puzzles, choice, tries, after)?.name;
  expect(next([], null)).toBe('a');
  expect(next(solved('a'), 'a')).toBe('b');
  expect(next(solved('cd'), 'b')).toBe('a');
  expect(next(solved('a'), 'a', { level: 'easy', theme: null })).toBe('d');
  expect(next([...solved('abd'), { name: 'c', result: 'failed' }], 'd')).toBe('c');
  expect(next([...solved('abd'), { name: 'c', result: 'failed' }], 'c')).toBeUndefined();
  expect(next([...solved('abd'), { name: 'c', result: 'late' }], null)).toBeUndefined();
});

it('includes the choice in addresses', () => {
  expect(addressOf('squad', ALL)).toBe('puzzles/squad');
  expect(addressOf('squad', { level: 'easy', theme: 'two stunts' }, puzzles[1])).toBe(
    'puzzles/squad/b?level=easy&theme=two+stunts',
  );
});
