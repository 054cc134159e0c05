/** Which puzzles of a game are to be solved: by difficulty and by theme. */

import { heading, valueWords } from '../app/words';
import type { Level, PuzzleCollection, PuzzleListed } from '../wire';
import type { Result, Tried } from '../app/tried';

/** Null: all. */
export interface Choice {
  level: string | null;
  theme: string | null;
}

/** Something to choose, with the number of its puzzles. */
export interface Way {
  value: string | null;
  label: string;
  count: number;
}

/** The difficulty of puzzles that no level is sure to solve. */
const BEYOND = 'beyond';

export function levelOf({ level }: PuzzleListed): string {
  return level ?? BEYOND;
}

/** "Casual", "Beyond Expert". */
export function levelWords(levels: Level[], name: string): string {
  if (name === BEYOND) return `Beyond ${levels.at(-1)?.title ?? 'all levels'}`;
  return levels.find((level) => level.name === name)?.title ?? heading(name);
}

/** "Formation: up-to": how it is played where that is not as usual, unless it is so in all puzzles of the game. */
export function optionWords({ options }: PuzzleListed, puzzles: PuzzleListed[]): string[] {
  return Object.entries(options)
    .filter(([name, value]) => puzzles.some((other) => other.options[name] !== value))
    .map(([name, value]) => `${heading(name)}: ${valueWords(value)}`);
}

/** The puzzles that a choice leaves, in the order of the collection. */
export function chosen(puzzles: PuzzleListed[], { level, theme }: Choice): PuzzleListed[] {
  return puzzles.filter(
    (one) => (level === null || levelOf(one) === level) && (theme === null || one.themes.includes(theme)),
  );
}

/** The difficulties that there are, the easiest first, with the number of puzzles of a theme. */
export function levelWays({ levels, puzzles }: PuzzleCollection, theme: string | null): Way[] {
  const names = [...levels.map(({ name }) => name), BEYOND].filter((name) =>
    puzzles.some((puzzle) => levelOf(puzzle) === name),
  );
  return [null, ...names].map((level) => ({
    value: level,
    label: level === null ? 'All' : levelWords(levels, level),
    count: chosen(puzzles, { level, theme }).length,
  }));
}

/** The themes that tell puzzles apart, the most frequent first, with the number of puzzles of a level. */
export function themeWays({ puzzles }: PuzzleCollection, level: string | null): Way[] {
  const names = [...new Set(puzzles.flatMap(({ themes }) => themes))];
  const all = names.map((theme) => ({ theme, of: chosen(puzzles, { level: null, theme }).length }));
  const telling = all.filter(({ of }) => of < puzzles.length).sort((one, other) => other.of - one.of);
  return [null, ...telling.map(({ theme }) => theme)].map((theme) => ({
    value: theme,
    label: theme === null ? 'All' : heading(theme),
    count: chosen(puzzles, { level, theme }).length,
  }));
}

/**
 * The puzzle to go on with after one, or from the first on: the next that was not tried, else one that was not solved.
 * Undefined where all are solved.
 */
export function nextOf(
  puzzles: PuzzleListed[],
  choice: Choice,
  tries: Tried[],
  after: string | null = null,
): PuzzleListed | undefined {
  const place = puzzles.findIndex(({ name }) => name === after) + 1;
  const others = [...puzzles.slice(place), ...puzzles.slice(0, place)].filter(({ name }) => name !== after);
  const results = new Map<string, Result>(tries.map(({ name, result }) => [name, result]));
  const left = chosen(others, choice);
  return left.find(({ name }) => !results.has(name)) ?? left.find(({ name }) => results.get(name) === 'failed');
}

/** The address of a game's puzzles, or of one, within a choice. */
export function addressOf(game: string, { level, theme }: Choice, puzzle?: PuzzleListed): string {
  const asked = new URLSearchParams();
  if (level !== null) asked.set('level', level);
  if (theme !== null) asked.set('theme', theme);
  const path = ['puzzles', game, puzzle?.name].filter((part) => part !== undefined).join('/');
  return asked.size > 0 ? `${path}?${asked}` : path;
}
