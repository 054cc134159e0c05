/** What the lobby says of a game. */

import type { GameInfo } from '../wire';

/** "2–6 players · 11–22 min"; the time as far as it is known. */
export function lengthWords({ players: [min, max], playing_time: time }: GameInfo): string {
  const players = max === 1 ? 'one player' : `${min === max ? min : `${min}–${max}`} players`;
  return [players, time && minutes(time)].filter(Boolean).join(' · ');
}

/** "8 to 17 minutes" as "8–17 min". */
function minutes(time: string): string {
  const rounded = time.replace(/[\d.]+/g, (number) => String(Math.round(Number(number))));
  return rounded.replace(' to ', '–').replace('minutes', 'min');
}

const SEATS = ['first', 'second'];

/** Why two games are better than one; for games where one of two seats is clearly better. */
export function pairWords({ favours }: GameInfo): string {
  return `Playing ${SEATS[favours ?? 0]} helps a lot – two games even it out.`;
}
