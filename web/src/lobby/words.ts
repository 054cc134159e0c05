/** The lobby’s words about a game. */

import type { GameInfo } from '../wire';

/** "2–6 players". */
export function playersWords({ players: [min, max] }: GameInfo): string {
  return max === 1 ? 'one player' : `${min === max ? min : `${min}–${max}`} players`;
}

/** The playing time, "8–17 min"; empty if unknown. */
export function minutesWords({ playing_time: time }: GameInfo): string {
  const rounded = time.replace(/[\d.]+/g, (number) => String(Math.round(Number(number))));
  return rounded.replace(' to ', '–').replace('minutes', 'min');
}

const SEATS = ['first', 'second'];

/** Recommends two games; for games that clearly favour one of two seats. */
export function pairWords({ favours }: GameInfo): string {
  return `Playing ${SEATS[favours ?? 0]} helps a lot – two games even it out.`;
}
