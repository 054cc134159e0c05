/** What the pages load of this game, all at once. */

import type { GameView } from '../../board/game-view';
import type { AnySounds } from '../../board/sounds';
import { SIZE_WORDS } from '../../pieces/solid';
import Board from './Board.svelte';
import { brief, describe, facing, KEYS, LANDMARKS, reason, say, SOUNDS, steps } from './game';
import type { Wire } from './wire';

export const view: GameView<Wire> = {
  Board,
  keys: KEYS,
  kinds: SIZE_WORDS,
  hasSides: true,
  hasChance: false,
  steps,
  facing,
  landmarks: LANDMARKS,
  sounds: SOUNDS as AnySounds,
  describe,
  say,
  brief,
  reason,
};
