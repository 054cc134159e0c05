/** How the end of a game sounds. */

import { play } from '../../app/sound.svelte';
import { resultSound } from './summons';
import { shown, type TableState } from '../state/table-state';

/** What ends a game is heard before the result, in seconds. */
const AFTER_THE_LAST_MOVE = 0.7;

/** Plays it once the board has shown the last move of a game that was seen here as it went on. For a component. */
export function soundsEnd(now: () => TableState, settled: () => boolean): void {
  let going = false;
  $effect(() => {
    const { table, live } = now();
    const over = live?.view.over ?? false;
    if (table?.started && shown(now()) && !over) going = true;
    if (!going || !over || !settled() || !table || !live) return;
    going = false;
    play(resultSound(table.seats, live.view), 1, AFTER_THE_LAST_MOVE);
  });
}
