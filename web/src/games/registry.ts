/** The games that this browser can show, by name. */

import * as highrise from './highrise/game';
import HighRise from './highrise/Board.svelte';
import * as icefrogs from './icefrogs/game';
import IceFrogs from './icefrogs/Board.svelte';
import * as icehouse from './icehouse/game';
import Icehouse from './icehouse/Board.svelte';
import * as squad from './squad/game';
import Squad from './squad/Board.svelte';
import type { GameView } from '../board/game-view';
import * as wrecktangle from './wrecktangle/game';
import WreckTangle from './wrecktangle/Board.svelte';

type Words = Pick<GameView, 'describe' | 'say'> & { KEYS: GameView['keys']; LANDMARKS: GameView['landmarks'] };

export const games: Record<string, GameView> = {
  highrise: of(HighRise, highrise),
  icefrogs: of(IceFrogs, icefrogs),
  icehouse: { ...of(Icehouse, icehouse), hasSides: false },
  squad: of(Squad, squad),
  wrecktangle: of(WreckTangle, wrecktangle),
};

function of(Board: GameView['Board'], { KEYS, LANDMARKS, describe, say }: Words): GameView {
  return { Board, keys: KEYS, hasSides: true, landmarks: LANDMARKS, describe, say };
}
