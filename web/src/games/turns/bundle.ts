/** The bundle of all games of turns: the board, and what the layout of a game says. */

import type { GameView, Sounds } from '../../board/game-view';
import Board from './Board.svelte';
import { facing, steps } from './board';
import { describe, keysOf, kindNames, landmarksOf, reason, soundsOf } from './game';
import { loadParts, parts } from './parts';
import type { Layout, Wire } from './wire';
import { brief, say } from './words';

export const view = async (layout: Layout): Promise<GameView<Wire>> => {
  await loadParts(layout);
  return {
    Board,
    ...(layout.counts && parts.Overview && { Overview: parts.Overview }),
    ...(layout.shows && parts.RollSign && { Sign: parts.RollSign }),
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
  };
};
