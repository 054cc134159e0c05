/** Levels of bots. */

import type { GameInfo, Level } from '../wire';

/** Up to this number, all levels are shown. */
const MAX_SHOWN = 5;
/** The number of levels that are shown at first if there are more. */
const SHOWN_AT_FIRST = 3;

/** The level last chosen, else the weakest; null if the game has no bots. */
export function defaultLevel(game: GameInfo, chosen: string): string | null {
  return (game.levels.find((level) => level.name === chosen) ?? game.levels[0])?.name ?? null;
}

/** The description of a level in a game with this number of players; empty for an unknown level. */
export function aboutLevel(levels: Level[], name: string | null, players: number): string {
  const level = levels.find((known) => known.name === name);
  return level?.by_players?.[players] ?? level?.about ?? '';
}

/** All levels or, if those are too many, the chosen one with its neighbours. */
export function nearbyLevels(levels: Level[], chosen: string): Level[] {
  if (levels.length <= MAX_SHOWN) return levels;
  const place = levels.findIndex(({ name }) => name === chosen);
  const from = Math.min(Math.max(0, place - 1), levels.length - SHOWN_AT_FIRST);
  return levels.slice(from, from + SHOWN_AT_FIRST);
}
