/** The games that this browser can show, by name. */

import { describe, say } from './icefrogs';
import IceFrogs from './IceFrogs.svelte';
import type { GameView } from './view';

export const games: Record<string, GameView> = {
  icefrogs: { Board: IceFrogs, describe, say },
};
