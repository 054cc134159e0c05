/** The bundle of all games of turns: the board, and what the layout of a game says. */

import type { GameView, Sounds } from '../../board/game-view';
import Board from './Board.svelte';
import { facing, steps } from './board';
import { describe, keysOf, kindNames, landmarksOf, reason, soundsOf } from './game';
import Overview from './parts/Overview.svelte';
import RollSign from './parts/RollSign.svelte';
import type { Layout, Wire } from './wire';
import { brief, say } from './words';

export const view = (layout: Layout): GameView<Wire> => ({
  Board,
  ...(layout.counts && { Overview }),
  Sign: RollSign,
  keys: keysOf(layout),
  kinds: kindNames(layout),
  hasSides: true,
  hasChance: layout.shows !== undefined || Object.values(layout.effects).some(({ motion }) => motion === 'roll'),
  steps,
  facing,
  landmarks: landmarksOf(layout),
  sounds: soundsOf(layout) as Sounds<Wire>,
  describe,
  say,
  brief,
  reason,
});
