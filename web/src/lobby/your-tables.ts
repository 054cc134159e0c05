/** The tables that this browser has visited, as the lobby lists them. */

import type { KeptTable } from '../app/tables';
import { list } from '../app/words';
import { resultWords, turnWords, waitingWords } from '../table/words';
import type { Summary } from '../wire';

export interface Row {
  id: string;
  game: string;
  title: string;
  /** The other players; for a spectator all of them. */
  names: string;
  /** "Your turn", "You win 51–5"; empty as long as the server has told nothing of the table. */
  state: string;
  isTurn: boolean;
  isOver: boolean;
  action: 'Continue' | 'Watch' | 'Look back';
  /** Milliseconds since 1970: the last move, or the last visit where no move is known of. */
  when: number;
}

/** The tables where it is the reader's turn come first, then games in progress, then those that are over. */
export function rows(tables: readonly KeptTable[], summaries: ReadonlyMap<string, Summary>): Row[] {
  const all = tables.map((table) => row(table, summaries.get(table.id)));
  return all.sort((one, other) => rank(one) - rank(other) || other.when - one.when);
}

function rank({ isTurn, isOver }: Row): number {
  return isTurn ? 0 : isOver ? 2 : 1;
}

function row(table: KeptTable, summary: Summary | undefined): Row {
  const { id, game, title } = table;
  const seats = summary?.seats ?? [];
  const mine = seats.filter((seat) => seat.mine);
  const others = mine.length < seats.length ? seats.filter((seat) => !seat.mine && seat.name !== '') : seats;
  const isOver = summary?.over ?? false;
  const plays = summary ? mine.length > 0 : table.codes.length > 0;
  return {
    id,
    game,
    title,
    names: list(summary ? others.map(({ name }) => name) : table.names),
    state: summary ? stateWords(summary) : '',
    isTurn: (summary?.turns ?? false) && mine.some(({ seat }) => summary?.to_act.includes(seat)),
    isOver,
    action: isOver ? 'Look back' : plays ? 'Continue' : 'Watch',
    when: summary?.when ?? table.when,
  };
}

function stateWords(summary: Summary): string {
  const { seats, started, hidden, paused, over, turns, reason } = summary;
  if (over) return resultWords(seats, summary, { reason });
  if (!started) return waitingWords(seats);
  if (paused) return 'Paused';
  return (!hidden && turns && turnWords(seats, summary)) || 'In progress';
}

/** The tables to ask the server about: not those that are over, as nothing changes there; the newest visits first. */
export function unsettled(
  tables: readonly KeptTable[],
  summaries: ReadonlyMap<string, Summary>,
  most: number,
): string[] {
  return tables
    .map(({ id }) => id)
    .filter((id) => !summaries.get(id)?.over)
    .slice(0, most);
}

/** A table in one sentence: "IceFrogs with Computer – Your turn. 5 May, 10:00". */
export function sentence({ title, names, state, when }: Row): string {
  const about = [names && `with ${names}`, state && `– ${state}`].filter(Boolean).join(' ');
  return `${title} ${about}. ${time(when)}`;
}

export function time(when: number): string {
  return new Date(when).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}
