/** What the pages load of this game, all at once. */

import type { GameView } from '../../board/game-view';
import type { AnySounds } from '../../board/sounds';
import Board from './Board.svelte';
import { brief } from './brief';
import { describe, facing, gathers, KEYS, LANDMARKS, reason, say, SOUNDS, START, steps } from './game';
import { missed, reword } from './meanwhile';
import type { Wire } from './wire';

export const view: GameView<Wire> = {
  Board,
  keys: KEYS,
  hasSides: false,
  hasChance: true,
  steps,
  facing,
  landmarks: LANDMARKS,
  sounds: SOUNDS as AnySounds,
  start: START,
  describe,
  say,
  brief,
  reason,
  gathers,
  missed,
  reword,
};
