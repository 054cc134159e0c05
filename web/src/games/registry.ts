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

export const games: Record<string, GameView> = {
  highrise: { Board: HighRise, keys: highrise.KEYS, describe: highrise.describe, say: highrise.say },
  icefrogs: { Board: IceFrogs, keys: icefrogs.KEYS, describe: icefrogs.describe, say: icefrogs.say },
  icehouse: { Board: Icehouse, keys: icehouse.KEYS, describe: icehouse.describe, say: icehouse.say },
  squad: { Board: Squad, keys: squad.KEYS, describe: squad.describe, say: squad.say },
  wrecktangle: { Board: WreckTangle, keys: wrecktangle.KEYS, describe: wrecktangle.describe, say: wrecktangle.say },
};
