/** How strong a bot plays. */

import type { GameInfo } from '../wire';

/** The level last chosen, else the weakest; null where the game has no bots. */
export function usualLevel(game: GameInfo, chosen: string): string | null {
  return (game.levels.find((level) => level.name === chosen) ?? game.levels[0])?.name ?? null;
}
