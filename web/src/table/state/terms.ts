/** The terms of a table in words: what players agree to when they sit down. */

import { clockWords, inDays } from '../../app/clocks';
import { heading, matchWords, valueWords } from '../../app/words';
import { capital } from '../../board/words';
import type { GameInfo, TableInfo } from '../../wire';

type Terms = Pick<TableInfo, 'match' | 'pair' | 'clock' | 'turns' | 'random_seats' | 'started' | 'options'>;

/** "First to 2 wins", "3 days per move", "Random seats", "Board: hexagon". `game`: undefined while it is loading. */
export function termsWords(table: Terms, game: GameInfo | undefined): string[] {
  return [
    ...seriesWords(table),
    table.clock ? clockWords(table.clock) : table.turns ? 'No clock' : '',
    table.random_seats && !table.started ? 'Random seats' : '',
    ...(game ? unusualWords(table, game) : []),
  ].filter((part) => part !== '');
}

/** What is worth saying all through a game: the length of the match, and days per move. */
export function shortTerms(table: Terms): string {
  const days = table.clock && inDays(table.clock) ? [clockWords(table.clock)] : [];
  return [...seriesWords(table), ...days].join(' · ');
}

function seriesWords({ match, pair }: Terms): string[] {
  if (match) return [capital(matchWords(match))];
  return pair ? ['Two games, swapping seats'] : [];
}

/** The options that differ from the recommended ones; those without one depend on the number of players. */
function unusualWords({ options }: Terms, game: GameInfo): string[] {
  return game.options
    .filter(({ name, recommended }) => recommended !== null && name in options)
    .filter(({ name, recommended }) => JSON.stringify(options[name]) !== JSON.stringify(recommended))
    .map(({ name }) => `${heading(name)}: ${valueWords(options[name]!)}`);
}
