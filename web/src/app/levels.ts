/** How strong a bot plays. */

import type { GameInfo } from '../wire';

/** The level last chosen, else one in the middle; null where the game has no bots. */
export function usualLevel(game: GameInfo, chosen: string): string | null {
  const middle = game.levels[Math.floor((game.levels.length - 1) / 2)];
  return (game.levels.find((level) => level.name === chosen) ?? middle)?.name ?? null;
}
