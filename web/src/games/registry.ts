/** The games that this browser can show, by name. Each is a bundle, loaded on demand. */

import type { GameView } from '../board/game-view';
import { load } from '../app/bundles';
import type { Size } from '../pieces/solid';
import type { GameInfo } from '../wire';

/** By path. */
const bundles = import.meta.glob<GameView>('./*/bundle.ts', { import: 'view' });

/** The letters for sizes in the notation of games that have their own. */
export const LETTERS: Record<string, Record<string, Size>> = {
  squad: { F: 'S', S: 'M', J: 'L' },
  wrecktangle: { P: 'S', D: 'M', Q: 'L' },
};

/** The easiest game for newcomers: its aim is simple and visible on the board. */
export const START_HERE = 'icefrogs';

/** The game with a name; otherwise the one for newcomers, or any. */
export function gameNamed(name: string, games: readonly GameInfo[] | null): GameInfo | undefined {
  const find = (wanted: string): GameInfo | undefined => games?.find((game) => game.name === wanted);
  return find(name) ?? find(START_HERE) ?? games?.[0];
}

export function canShow({ name, workshop }: { name: string; workshop: boolean }): boolean {
  return bundleOf(name, workshop) !== undefined;
}

/** The board and the words of a game; workshop games share theirs. Throws an Error with a message for the user. */
export async function loadGame(game: string, workshop = false): Promise<GameView> {
  const bundle = bundleOf(game, workshop);
  if (!bundle) throw new Error('This app can’t show this game yet.');
  return load(bundle);
}

function bundleOf(game: string, workshop: boolean): (() => Promise<GameView>) | undefined {
  return bundles[`./${workshop ? 'workshop' : game}/bundle.ts`];
}
