/** The bundle of this game. */

import type { GameView } from '../../board/game-view';
import Board from './Board.svelte';
import * as game from './game';
import Sign from './Sign.svelte';
import type { Wire } from './wire';

export const view: GameView<Wire> = { ...game, Board, Sign };
