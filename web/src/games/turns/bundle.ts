/** The bundle of all games of turns: the board, and what the layout of a game says. */

import type { GameView, Sounds } from '../../board/game-view';
import Board from './Board.svelte';
import { facing, steps } from './board';
import { describe, keysOf, kindNames, landmarksOf, reason, soundsOf } from './game';
import RollSign from './parts/RollSign.svelte';
import type { Layout, Wire } from './wire';
import { brief, say } from './words';

export const view = (layout: Layout): GameView<Wire> => ({
  Board,
  Sign: RollSign,
  keys: keysOf(layout),
  kinds: kindNames(layout),
  hasSides: true,
  hasChance: layout.shows !== undefined,
  steps,
  facing,
  landmarks: landmarksOf(layout),
  sounds: soundsOf(layout) as Sounds<Wire>,
  describe,
  say,
  brief,
  reason,
});
