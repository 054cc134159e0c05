/** The games that this browser can show, by name. Each is a bundle, loaded where a page needs it. */

import type { GameView, Wire } from '../board/game-view';
import { load } from '../app/bundles';
import type { Size } from '../pieces/solid';

const bundles: Record<string, () => Promise<GameView>> = {
  highrise: async () => anyGame((await import('./highrise/bundle')).view),
  icefrogs: async () => anyGame((await import('./icefrogs/bundle')).view),
  icehouse: async () => anyGame((await import('./icehouse/bundle')).view),
  squad: async () => anyGame((await import('./squad/bundle')).view),
  wrecktangle: async () => anyGame((await import('./wrecktangle/bundle')).view),
};

/** How the rules of the games write pyramids, where not by the letter of the size. */
export const LETTERS: Record<string, Record<string, Size>> = {
  squad: { F: 'S', S: 'M', J: 'L' },
  wrecktangle: { P: 'S', D: 'M', Q: 'L' },
};

/** The easiest to begin with: its aim is plain, and it is read from the board. */
export const START_HERE = 'icefrogs';

export function canShow(game: string): boolean {
  return game in bundles;
}

/** The board and the words of a game. Where they can't be loaded, an Error that says so. */
export async function loadGame(game: string): Promise<GameView> {
  const bundle = bundles[game];
  if (!bundle) throw new Error('This app can’t show this game yet.');
  return load(bundle);
}

/**
 * A game for pages that show any game: its own types are forgotten here, and nowhere else. A table names its game, and
 * by this name the pages pick the game from above; the server has made the table's layout, views and lines for it.
 */
function anyGame<W extends Wire>(view: GameView<W>): GameView {
  return view as unknown as GameView;
}
