/** The games that this browser can show, by name. */

import type { Component } from 'svelte';
import * as highrise from './highrise/game';
import HighRise from './highrise/Board.svelte';
import * as icefrogs from './icefrogs/game';
import IceFrogs from './icefrogs/Board.svelte';
import * as icehouse from './icehouse/game';
import Icehouse from './icehouse/Board.svelte';
import * as squad from './squad/game';
import Squad from './squad/Board.svelte';
import type { BoardProps, GameView, Wire } from '../board/game-view';
import * as wrecktangle from './wrecktangle/game';
import WreckTangle from './wrecktangle/Board.svelte';

interface Words<W extends Wire> extends Pick<GameView<W>, 'describe' | 'say'> {
  KEYS: GameView['keys'];
  LANDMARKS: GameView['landmarks'];
}

export const games: Record<string, GameView> = {
  highrise: of<highrise.Wire>(HighRise, highrise),
  icefrogs: of<icefrogs.Wire>(IceFrogs, icefrogs),
  icehouse: { ...of<icehouse.Wire>(Icehouse, icehouse), hasSides: false },
  squad: of<squad.Wire>(Squad, squad),
  wrecktangle: of<wrecktangle.Wire>(WreckTangle, wrecktangle),
};

/**
 * A game for pages that show any game: its own types are forgotten here, and nowhere else. A table names its game, and
 * by this name the pages pick the game from above; the server has made the table's layout, views and lines for it.
 */
function of<W extends Wire>(Board: Component<BoardProps<W>>, { KEYS, LANDMARKS, describe, say }: Words<W>): GameView {
  const view: GameView<W> = { Board, keys: KEYS, hasSides: true, landmarks: LANDMARKS, describe, say };
  return view as unknown as GameView;
}
