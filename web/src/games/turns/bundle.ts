/** The bundle of all games of the workshop. */

import type { GameView } from '../../board/game-view';
import Board from './Board.svelte';
import * as game from './game';
import type { Wire } from './wire';

export const view: GameView<Wire> = { ...game, Board };
