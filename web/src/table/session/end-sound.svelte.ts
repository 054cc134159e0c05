import { play } from '../../app/sound.svelte';
import { resultSound } from './summons';
import { shown, type TableState } from '../state/table-state';

/** Delay after the last move, whose own sounds come first. */
const DELAY_SECONDS = 0.7;

/** Plays the sound of a result when the board has shown the last move of a game that was watched live. */
export function playEnd(now: () => TableState, settled: () => boolean): void {
  let isLive = false;
  $effect(() => {
    const { table, live } = now();
    const over = live?.view.over ?? false;
    if (table?.started && shown(now()) && !over) isLive = true;
    if (!isLive || !over || !settled() || !table || !live) return;
    isLive = false;
    play(resultSound(table.seats, live.view), 1, DELAY_SECONDS);
  });
}
