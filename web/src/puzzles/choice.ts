/** A choice among the puzzles of a game, by difficulty and by theme. */

import { heading, valueWords } from '../app/words';
import type { Level, PuzzleCollection, PuzzleListed } from '../wire';
import type { Result, Tried } from '../app/tried';

/** Null: all. */
export interface Choice {
  level: string | null;
  theme: string | null;
}

/** A level or theme to choose, with the number of its puzzles. */
export interface ChoiceOption {
  value: string | null;
  label: string;
  count: number;
}

/** The difficulty of puzzles that no level solves reliably. */
const BEYOND = 'beyond';

export function levelOf({ level }: PuzzleListed): string {
  return level ?? BEYOND;
}

/** "Casual", "Beyond Expert". */
export function levelWords(levels: Level[], name: string): string {
  if (name === BEYOND) return `Beyond ${levels.at(-1)?.title ?? 'all levels'}`;
  return levels.find((level) => level.name === name)?.title ?? heading(name);
}

/** The unusual options of a puzzle, unless all puzzles of the game have them: "Formation: up-to". */
export function optionWords({ options }: PuzzleListed, puzzles: PuzzleListed[]): string[] {
  return Object.entries(options)
    .filter(([name, value]) => puzzles.some((other) => other.options[name] !== value))
    .map(([name, value]) => `${heading(name)}: ${valueWords(value)}`);
}

/** The puzzles that match a choice, in the order of the collection. */
export function filtered(puzzles: PuzzleListed[], { level, theme }: Choice): PuzzleListed[] {
  return puzzles.filter(
    (puzzle) => (level === null || levelOf(puzzle) === level) && (theme === null || puzzle.themes.includes(theme)),
  );
}

/** The difficulties that puzzles have, from the easiest. */
export function levelsOf({ levels, puzzles }: Pick<PuzzleCollection, 'levels' | 'puzzles'>): string[] {
  return [...levels.map(({ name }) => name), BEYOND].filter((name) =>
    puzzles.some((puzzle) => levelOf(puzzle) === name),
  );
}

/** The puzzles of a difficulty with a theme: the untried ones first, then those failed, then those solved. */
export interface Group {
  level: string;
  title: string;
  puzzles: PuzzleListed[];
  solved: number;
  /** The first that is not solved. */
  next: PuzzleListed | undefined;
}

/** The groups that are not empty, from the easiest. */
export function groupsOf(collection: PuzzleCollection, theme: string | null, tries: Tried[]): Group[] {
  const results = new Map<string, Result>(tries.map(({ name, result }) => [name, result]));
  const rank = ({ name }: PuzzleListed): number => {
    const result = results.get(name);
    return result === undefined ? 0 : result === 'failed' ? 1 : 2;
  };
  return levelsOf(collection).flatMap((level) => {
    const puzzles = filtered(collection.puzzles, { level, theme }).sort((a, b) => rank(a) - rank(b));
    const open = puzzles.filter((puzzle) => rank(puzzle) < 2);
    const title = levelWords(collection.levels, level);
    return puzzles.length === 0 ? [] : [{ level, title, puzzles, solved: puzzles.length - open.length, next: open[0] }];
  });
}

/** The themes that not all puzzles have, the most frequent first, with the number of puzzles. */
export function themeOptions({ puzzles }: PuzzleCollection): ChoiceOption[] {
  const names = [...new Set(puzzles.flatMap(({ themes }) => themes))];
  const all = names.map((theme) => ({ theme, total: filtered(puzzles, { level: null, theme }).length }));
  const partial = all.filter(({ total }) => total < puzzles.length).sort((a, b) => b.total - a.total);
  return [null, ...partial.map(({ theme }) => theme)].map((theme) => ({
    value: theme,
    label: theme === null ? 'All' : heading(theme),
    count: filtered(puzzles, { level: null, theme }).length,
  }));
}

/** The next untried puzzle `after` another one, else the next failed one; undefined if none is left. */
export function nextPuzzle(
  puzzles: PuzzleListed[],
  choice: Choice,
  tries: Tried[],
  after: string | null = null,
): PuzzleListed | undefined {
  const place = puzzles.findIndex(({ name }) => name === after) + 1;
  const others = [...puzzles.slice(place), ...puzzles.slice(0, place)].filter(({ name }) => name !== after);
  const results = new Map<string, Result>(tries.map(({ name, result }) => [name, result]));
  const left = filtered(others, choice);
  return left.find(({ name }) => !results.has(name)) ?? left.find(({ name }) => results.get(name) === 'failed');
}

/** The address of a game's puzzles, or of one of them. */
export function addressOf(game: string, { level, theme }: Choice, puzzle?: PuzzleListed): string {
  const query = new URLSearchParams();
  if (level !== null) query.set('level', level);
  if (theme !== null) query.set('theme', theme);
  const path = ['puzzles', game, puzzle?.name].filter((part) => part !== undefined).join('/');
  return query.size > 0 ? `${path}?${query}` : path;
}
