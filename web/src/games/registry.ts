/** The games that this browser can show, by name. */

import * as highrise from './highrise';
import HighRise from './HighRise.svelte';
import * as icefrogs from './icefrogs';
import IceFrogs from './IceFrogs.svelte';
import * as icehouse from './icehouse';
import Icehouse from './Icehouse.svelte';
import * as squad from './squad';
import Squad from './Squad.svelte';
import type { GameView } from './view';
import * as wrecktangle from './wrecktangle';
import WreckTangle from './WreckTangle.svelte';

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
