/** "Play somebody": takes a seat at a table that waits for players, or creates such a table. */

import { seekTable } from '../app/joining';
import { playerName, Preference } from '../app/prefs.svelte';
import { storedSummary, storedTables } from '../app/tables';
import type { Clock, GameInfo, Level, TableRequest } from '../wire';
import { levelOf, ratings } from './ratings';
import { byLink, tableRequest } from './set-up';

export const STRANGERS_CLOCK: Clock = { per: 'game', seconds: 900, increment: 10 };

/** Whether open tables show this player’s level. */
export const showLevel = new Preference<boolean>('show-level', false);

export function seek(game: GameInfo): Promise<void> {
  const level = showLevel.value ? ownLevel(game) : null;
  return seekTable(publicRequest(game, playerName.value, level), game.title);
}

/** The level nearest to the rating of this browser’s user; null after too few games. */
export function ownLevel(game: GameInfo): Level | null {
  const tables = storedTables().filter((table) => table.game === game.name);
  const summaries = new Map(
    tables.flatMap(({ id }) => {
      const summary = storedSummary(id);
      return summary ? [[id, summary] as const] : [];
    }),
  );
  const rating = ratings(tables, summaries, [game]).find(({ players }) => players === game.default_players);
  return rating ? levelOf(rating) : null;
}

/** A public table with default options. */
export function publicRequest(game: GameInfo, name: string, level: Level | null): TableRequest {
  const clock = game.turns ? STRANGERS_CLOCK : null;
  const request = tableRequest({ ...byLink(game, name), public: true, clock });
  return level ? { ...request, plays_like: level.name } : request;
}
