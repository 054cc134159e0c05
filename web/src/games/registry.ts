/** The games that this browser can show, by name. Each is a bundle, loaded where a page needs it. */

import type { GameView } from '../board/game-view';
import { load } from '../app/bundles';
import type { Size } from '../pieces/solid';
import type { GameInfo } from '../wire';

/** By the paths of their bundles. A table names its game, and the server has made its layout, views and lines for it. */
const bundles = import.meta.glob<GameView>('./*/bundle.ts', { import: 'view' });

/** How the rules of the games write pyramids, where not by the letter of the size. */
export const LETTERS: Record<string, Record<string, Size>> = {
  squad: { F: 'S', S: 'M', J: 'L' },
  wrecktangle: { P: 'S', D: 'M', Q: 'L' },
};

/** The easiest to begin with: its aim is plain, and it is read from the board. */
export const START_HERE = 'icefrogs';

/** The game of a name; else the one to begin with, or any. */
export function gameNamed(name: string, games: readonly GameInfo[] | null): GameInfo | undefined {
  const named = (one: string): GameInfo | undefined => games?.find((game) => game.name === one);
  return named(name) ?? named(START_HERE) ?? games?.[0];
}

export function canShow({ name, workshop }: { name: string; workshop: boolean }): boolean {
  return bundleOf(name, workshop) !== undefined;
}

/**
 * The board and the words of a game; those of the workshop have theirs in common. Where they can't be loaded, an Error
 * that says so.
 */
export async function loadGame(game: string, workshop = false): Promise<GameView> {
  const bundle = bundleOf(game, workshop);
  if (!bundle) throw new Error('This app can’t show this game yet.');
  return load(bundle);
}

function bundleOf(game: string, workshop: boolean): (() => Promise<GameView>) | undefined {
  return bundles[`./${workshop ? 'workshop' : game}/bundle.ts`];
}
