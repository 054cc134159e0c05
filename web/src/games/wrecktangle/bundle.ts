/** What the pages load of this game, all at once. */

import type { GameView } from '../../board/game-view';
import type { AnySounds } from '../../board/sounds';
import Board from './Board.svelte';
import { brief, describe, facing, KEYS, LANDMARKS, reason, ROLL_WORDS, say, SOUNDS, steps } from './game';
import type { Wire } from './wire';

export const view: GameView<Wire> = {
  Board,
  keys: KEYS,
  kinds: ROLL_WORDS,
  hasSides: true,
  hasChance: true,
  steps,
  facing,
  landmarks: LANDMARKS,
  sounds: SOUNDS as AnySounds,
  describe,
  say,
  brief,
  reason,
};
