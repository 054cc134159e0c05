/** What moves to another browser beside the games: the user's name, and what they have made of puzzles and lessons. */

import { playerName } from '../app/prefs.svelte';
import { keys, read, write } from '../app/storage';
import { doneSteps, markDone } from '../app/learned';
import { tried, type Tried } from '../app/tried';

export interface Profile {
  name: string;
  /** By game. */
  puzzles: Record<string, Tried[]>;
  /** The steps of lessons that are done, by game. */
  learned: Record<string, string[]>;
  /** What else is kept, by its key: best scores alone, days of puzzles, places in tournaments. Older files have none. */
  others?: Record<string, unknown>;
}

const OTHERS = /^((best|tournament)\.\w+|puzzle-days)$/;

const PUZZLES = 'puzzles.';
const LEARNED = 'learned.';

export function ownProfile(): Profile {
  return {
    name: playerName.value,
    puzzles: byGame(PUZZLES, tried),
    learned: byGame(LEARNED, doneSteps),
    others: Object.fromEntries(
      keys()
        .filter((key) => OTHERS.test(key))
        .map((key) => [key, read(key)]),
    ),
  };
}

/** Keeps another browser's with what is here: nothing is lost. Whether any of it is new. */
export function keepProfile(given: Profile): boolean {
  const before = JSON.stringify(ownProfile());
  if (playerName.value === '') playerName.value = given.name;
  for (const [game, others] of Object.entries(given.puzzles)) {
    const own = tried(game);
    const more = others.filter(({ name }) => !own.some((one) => one.name === name));
    // A puzzle that was solved on either side is solved; only the first try tells whether at once.
    const solved = new Set(others.filter(({ result }) => result !== 'failed').map(({ name }) => name));
    const known = own.map((one) =>
      one.result === 'failed' && solved.has(one.name) ? { ...one, result: 'late' as const } : one,
    );
    write(PUZZLES + game, [...known, ...more]);
  }
  for (const [game, steps] of Object.entries(given.learned)) steps.forEach((step) => markDone(game, step));
  for (const [key, one] of Object.entries(given.others ?? {})) {
    if (OTHERS.test(key) && read(key) === undefined) write(key, one);
  }
  return JSON.stringify(ownProfile()) !== before;
}

/** Files of older versions have none; of one that is damaged nothing is taken. */
export function isProfile(value: unknown): value is Profile {
  if (!isObject(value) || typeof value['name'] !== 'string') return false;
  const { puzzles, learned, others } = value;
  return (
    (others === undefined || isObject(others)) &&
    isByGame(
      puzzles,
      (one) => isObject(one) && [one['name'], one['result']].every((text) => typeof text === 'string'),
    ) &&
    isByGame(learned, (one) => typeof one === 'string')
  );
}

function byGame<T>(prefix: string, of: (game: string) => T[]): Record<string, T[]> {
  const games = keys().filter((key) => key.startsWith(prefix));
  return Object.fromEntries(games.map((key) => key.slice(prefix.length)).map((game) => [game, of(game)]));
}

function isByGame(value: unknown, fits: (one: unknown) => boolean): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(([game, all]) => /^\w+$/.test(game) && Array.isArray(all) && all.every(fits));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
