/** How strong a bot plays. */

import type { GameInfo, Level } from '../wire';

/** As many levels can be seen at a glance. */
const AT_A_GLANCE = 5;
/** Of more, as many are shown at first. */
const FEW = 3;

/** The level last chosen, else the weakest; null where the game has no bots. */
export function usualLevel(game: GameInfo, chosen: string): string | null {
  return (game.levels.find((level) => level.name === chosen) ?? game.levels[0])?.name ?? null;
}

/** What the level with a name does in a game for this number of players; empty where no level has that name. */
export function aboutLevel(levels: Level[], name: string | null, players: number): string {
  const level = levels.find((one) => one.name === name);
  return level?.by_players?.[players] ?? level?.about ?? '';
}

/** A level with its neighbours, of many; else all. */
export function fewLevels(levels: Level[], chosen: string): Level[] {
  if (levels.length <= AT_A_GLANCE) return levels;
  const place = levels.findIndex(({ name }) => name === chosen);
  const from = Math.min(Math.max(0, place - 1), levels.length - FEW);
  return levels.slice(from, from + FEW);
}
