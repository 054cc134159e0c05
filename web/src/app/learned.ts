/** Which steps of the lessons this browser's user has done. */

import { read, write } from './storage';

const PREFIX = 'learned.';

/** The names of the steps of a game's lesson that are done. */
export function doneSteps(game: string): string[] {
  const kept = read(PREFIX + game);
  return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
}

export function keepDone(game: string, step: string): void {
  write(PREFIX + game, [...new Set([...doneSteps(game), step])]);
}

/** Where to go on: the first step that is not done, else the first. */
export function firstOpen(steps: { name: string }[], done: string[]): number {
  return Math.max(
    0,
    steps.findIndex(({ name }) => !done.includes(name)),
  );
}
