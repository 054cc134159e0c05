/** The steps of lessons that this browser's user has completed. */

import { read, write } from './storage';

const PREFIX = 'learned.';

export function doneSteps(game: string): string[] {
  const stored = read(PREFIX + game);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}

export function markDone(game: string, step: string): void {
  write(PREFIX + game, [...new Set([...doneSteps(game), step])]);
}

/** The index of the first step that is not done; 0 if all are. */
export function firstOpen(steps: { name: string }[], done: string[]): number {
  return Math.max(
    0,
    steps.findIndex(({ name }) => !done.includes(name)),
  );
}
