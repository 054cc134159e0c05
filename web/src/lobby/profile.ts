/** The user's name, puzzle results and progress in lessons, which move to another browser with the games. */

import { playerName } from '../app/prefs.svelte';
import { keys, read, write } from '../app/storage';
import { doneSteps, markDone } from '../app/learned';
import { tried, type Tried } from '../app/tried';

export interface Profile {
  name: string;
  /** By game. */
  puzzles: Record<string, Tried[]>;
  /** Completed steps of lessons, by game. */
  learned: Record<string, string[]>;
  /** Other values by storage key: best solo scores, puzzle streaks, places in tournaments. Absent from older files. */
  others?: Record<string, unknown>;
}

const OTHER_KEYS = /^((best|tournament)\.\w+|puzzle-days)$/;

/** A place in a tournament and its organizer’s code may come from different browsers. */
const TOURNAMENT_PREFIX = 'tournament.';
const PUZZLES_PREFIX = 'puzzles.';
const LEARNED_PREFIX = 'learned.';

export function ownProfile(): Profile {
  return {
    name: playerName.value,
    puzzles: byGame(PUZZLES_PREFIX, tried),
    learned: byGame(LEARNED_PREFIX, doneSteps),
    others: Object.fromEntries(
      keys()
        .filter((key) => OTHER_KEYS.test(key))
        .map((key) => [key, read(key)]),
    ),
  };
}

/** Merges another browser's profile into this browser's; returns whether anything was new. */
export function mergeProfile(given: Profile): boolean {
  const before = JSON.stringify(ownProfile());
  if (playerName.value === '') playerName.value = given.name;
  for (const [game, others] of Object.entries(given.puzzles)) {
    const own = tried(game);
    const more = others.filter(({ name }) => !own.some((puzzle) => puzzle.name === name));
    // A puzzle that was failed here and solved there counts as solved after a mistake.
    const solved = new Set(others.filter(({ result }) => result !== 'failed').map(({ name }) => name));
    const known = own.map((puzzle) =>
      puzzle.result === 'failed' && solved.has(puzzle.name) ? { ...puzzle, result: 'late' as const } : puzzle,
    );
    write(PUZZLES_PREFIX + game, [...known, ...more]);
  }
  for (const [game, steps] of Object.entries(given.learned)) steps.forEach((step) => markDone(game, step));
  for (const [key, value] of Object.entries(given.others ?? {})) {
    const own = read(key);
    if (!OTHER_KEYS.test(key)) continue;
    if (own === undefined) write(key, value);
    else if (key.startsWith(TOURNAMENT_PREFIX) && isObject(value) && isObject(own)) write(key, { ...value, ...own });
  }
  return JSON.stringify(ownProfile()) !== before;
}

export function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || typeof value['name'] !== 'string') return false;
  const { puzzles, learned, others } = value;
  return (
    (others === undefined || isObject(others)) &&
    isByGame(
      puzzles,
      (item) => isObject(item) && [item['name'], item['result']].every((text) => typeof text === 'string'),
    ) &&
    isByGame(learned, (item) => typeof item === 'string')
  );
}

function byGame<T>(prefix: string, readGame: (game: string) => T[]): Record<string, T[]> {
  const games = keys().filter((key) => key.startsWith(prefix));
  return Object.fromEntries(games.map((key) => key.slice(prefix.length)).map((game) => [game, readGame(game)]));
}

function isByGame(value: unknown, fits: (item: unknown) => boolean): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([game, all]) => /^\w+$/.test(game) && Array.isArray(all) && all.every(fits));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
