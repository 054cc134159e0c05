/** The bundle of this game. */

import type { GameView } from '../../board/game-view';
import Board from './Board.svelte';
import { brief } from './brief';
import * as game from './game';
import { missed, reword } from './meanwhile';
import type { Wire } from './wire';

export const view: GameView<Wire> = { ...game, brief, missed, reword, Board };
