/** What the lobby says of a game. */

import type { GameInfo } from '../wire';

/** "2–6 players". */
export function playersWords({ players: [min, max] }: GameInfo): string {
  return max === 1 ? 'one player' : `${min === max ? min : `${min}–${max}`} players`;
}

/** How long a game takes, "8–17 min"; empty where that is not known. */
export function minutesWords({ playing_time: time }: GameInfo): string {
  const rounded = time.replace(/[\d.]+/g, (number) => String(Math.round(Number(number))));
  return rounded.replace(' to ', '–').replace('minutes', 'min');
}

const SEATS = ['first', 'second'];

/** Why two games are better than one; for games where one of two seats is clearly better. */
export function pairWords({ favours }: GameInfo): string {
  return `Playing ${SEATS[favours ?? 0]} helps a lot – two games even it out.`;
}
