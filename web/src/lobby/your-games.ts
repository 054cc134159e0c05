/** The games of this browser, under way and finished, as the lobby lists them. */

import { daysWords, momentWords } from '../app/clocks';
import type { StoredTable } from '../app/tables';
import { heading, list } from '../app/words';
import { outcome, resultWords, tally, titleOf, turnWords, waitingWords } from '../table/state/words';
import type { Seat, Summary } from '../wire';

export interface Row {
  id: string;
  game: string;
  title: string;
  /** The other players; for a spectator all of them. */
  names: string;
  /** "Your turn", "You won 51–5"; empty as long as the server has told nothing of the table. */
  state: string;
  /** "5 h left, until Sat 18:05"; empty where no clock runs. */
  left: string;
  isTurn: boolean;
  /** It is a table for trying things, and not a game. */
  explores: boolean;
  isOver: boolean;
  /** The server has the game no more: all that is left is what is told here. */
  isMissing: boolean;
  action: 'Continue' | 'Watch' | 'Look back';
  /** Milliseconds since 1970: the last move, or the last visit where no move is known of. */
  when: number;
  /** When the time of a player who is to act is up, in milliseconds since 1970; Infinity where no clock runs. */
  due: number;
}

/** Games where it is the reader's turn come first, those with the least time before others, then those in progress, those that are over, and analysis boards. */
export function rows(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  missing: ReadonlySet<string>,
): Row[] {
  const all = tables.map((table) => row(table, summaries.get(table.id), missing.has(table.id)));
  return all.sort((one, other) => rank(one) - rank(other) || urgency(one, other) || other.when - one.when);
}

/** Of two games where it is the reader's turn, which one has less time. */
function urgency(one: Row, other: Row): number {
  return one.isTurn && other.isTurn && one.due !== other.due ? one.due - other.due : 0;
}

function rank({ isTurn, explores, isOver, isMissing }: Row): number {
  if (explores) return 3;
  return isTurn ? 0 : isOver || isMissing ? 2 : 1;
}

function row(table: StoredTable, summary: Summary | undefined, isMissing: boolean): Row {
  const { id, game, title } = table;
  const seats = summary?.seats ?? [];
  const mine = seats.filter((seat) => seat.mine);
  const others = mine.length < seats.length ? seats.filter((seat) => !seat.mine && seat.name !== '') : seats;
  const isOver = summary?.over ?? false;
  const explores = table.from !== undefined || (summary?.explore ?? false);
  const due = (!isMissing && !explores && summary?.due) || Infinity;
  const plays = mine.length > 0 || table.codes.length > 0;
  return {
    id,
    game,
    title: titleOf({ title, explore: explores }),
    names: list(summary ? others.map(nameOf) : table.names),
    state: summary && !explores ? stateWords(summary, isMissing) : '',
    left: due < Infinity ? leftWords(due) : '',
    explores,
    isTurn:
      !explores &&
      !isOver &&
      !isMissing &&
      (summary?.turns ?? false) &&
      mine.some(({ seat }) => summary?.to_act.includes(seat)),
    isOver,
    isMissing,
    action: explores ? 'Continue' : isOver ? 'Look back' : plays ? 'Continue' : 'Watch',
    when: summary?.when ?? table.when,
    due,
  };
}

/** "5 h left, until Sat 18:05". */
function leftWords(due: number): string {
  const left = due - Date.now();
  return left > 0 ? `${daysWords(left)} left, until ${momentWords(due)}` : 'time is up';
}

/** "Ann", "Computer (Skilled)". */
function nameOf({ name, level }: Seat): string {
  return level === null ? name : `${name} (${heading(level)})`;
}

function stateWords(summary: Summary, isMissing: boolean): string {
  const { seats, started, hidden, paused, over, turns } = summary;
  if (over) return pastWords(summary);
  if (isMissing) return 'Not finished';
  if (!started) return waitingWords(seats);
  if (paused) return 'Paused';
  return (!hidden && turns && turnWords(seats, summary)) || 'In progress';
}

/** What became of a game: "You won 51–5", "Lost on time", "Drawn 7–7"; where several play here, the result as it was. */
function pastWords(summary: Summary): string {
  const { seats, winners, reason } = summary;
  if (reason === 'draw') return 'Drawn by agreement';
  if (reason === 'record') return 'An unfinished record';
  const came = outcome(seats, summary);
  if (came === 'watched' || winners.length === 0) return resultWords(seats, summary, { reason });
  const names = (won: boolean): string =>
    list(seats.filter(({ mine, seat }) => !mine && winners.includes(seat) === won).map(({ name }) => name));
  if (came === 'drawn') return `Drawn${tally(seats, summary)}`;
  if (came === 'won') {
    if (reason !== null) return `You won: ${names(false)} ${reason === 'time' ? 'ran out of time' : 'resigned'}`;
    if (summary.cooperative) return 'Won together';
    return winners.length > 1 ? `You won with ${names(true)}` : `You won${tally(seats, summary)}`;
  }
  if (reason !== null) return reason === 'time' ? 'Lost on time' : 'Lost: you resigned';
  return seats.length > 2 ? `Lost: ${names(true)} won` : `Lost${tally(seats, summary)}`;
}

/**
 * The tables to ask the server about: first those in progress, the newest visits first, then those that are over. All
 * but what is `settled`: there nothing changes any more.
 */
export function unsettled(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  settled: ReadonlySet<string>,
  most: number,
): string[] {
  const isOver = (id: string): boolean => summaries.get(id)?.over ?? false;
  return tables
    .map(({ id }) => id)
    .filter((id) => !settled.has(id))
    .sort((one, other) => Number(isOver(one)) - Number(isOver(other)))
    .slice(0, most);
}

/** The tables of finished games that are too many, the oldest. */
export function surplus(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  most: number,
): StoredTable[] {
  const when = ({ id }: StoredTable): number => summaries.get(id)?.when ?? 0;
  return tables
    .filter(({ id }) => summaries.get(id)?.over)
    .sort((one, other) => when(other) - when(one))
    .slice(most);
}

/** A game in one sentence: "IceFrogs with Computer – Your turn. 5 May, 10:00". */
export function sentence({ title, names, state, left, when }: Row): string {
  const about = [names && `with ${names}`, state && `– ${state}`, left && `(${left})`].filter(Boolean).join(' ');
  return `${title} ${about}. ${time(when)}`;
}

/** "5 May, 10:00"; of another year with the year. */
export function time(when: number): string {
  const date = new Date(when);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  return date.toLocaleString(undefined, {
    year,
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
}
