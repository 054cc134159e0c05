/** The lobby’s list of this browser’s games. */

import { dateWords, daysWords, momentWords } from '../app/clocks';
import type { StoredTable } from '../app/tables';
import { heading, list, matchWords } from '../app/words';
import { storedTournament } from '../app/tournaments';
import { isTieBreak, outcome, resultWords, tally, titleOf, turnWords, waitingWords } from '../table/state/words';
import type { Seat, Summary } from '../wire';

export interface Row {
  id: string;
  game: string;
  title: string;
  /** The other players; for a spectator, all players. */
  names: string;
  /** "Your turn", "You won 51–5"; empty before the first summary from the server. */
  state: string;
  /** The match, pair or tournament that the game belongs to: "First to 2 wins · game 2 · 1–0". */
  series: string;
  /** The table waits for players. */
  waits: boolean;
  /** "5 h left, until Sat 18:05"; empty if no clock is running. */
  left: string;
  isTurn: boolean;
  /** The table is an analysis board. */
  explore: boolean;
  isOver: boolean;
  /** The server has deleted the game. */
  isMissing: boolean;
  action: 'Continue' | 'Watch' | 'Look back';
  /** The last move, or the last visit if no move is known, in milliseconds since 1970. */
  when: number;
  /** The deadline of a player to act, in milliseconds since 1970; Infinity if no clock is running. */
  due: number;
}

/** First the games where it is your turn, by time left, then those in progress, finished games, and analysis boards. */
export function rows(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  missing: ReadonlySet<string>,
): Row[] {
  const all = tables.map((table) => row(table, summaries.get(table.id), missing.has(table.id)));
  return all.sort((a, b) => rank(a) - rank(b) || compareDeadlines(a, b) || b.when - a.when);
}

function compareDeadlines(a: Row, b: Row): number {
  return a.isTurn && b.isTurn && a.due !== b.due ? a.due - b.due : 0;
}

function rank({ isTurn, explore, isOver, isMissing }: Row): number {
  if (explore) return 3;
  return isTurn ? 0 : isOver || isMissing ? 2 : 1;
}

function row(table: StoredTable, summary: Summary | undefined, isMissing: boolean): Row {
  const { id, game, title } = table;
  const seats = summary?.seats ?? [];
  const mine = seats.filter((seat) => seat.mine);
  const others = mine.length < seats.length ? seats.filter((seat) => !seat.mine && seat.name !== '') : seats;
  const isOver = summary?.over ?? false;
  const explore = table.from !== undefined || (summary?.explore ?? false);
  const due = (!isMissing && !explore && summary?.due) || Infinity;
  const plays = mine.length > 0 || table.codes.length > 0;
  return {
    id,
    game,
    title: titleOf({ title, explore }),
    names: list(summary ? others.map(nameWithLevel) : table.names),
    state: summary && !explore ? stateWords(summary, isMissing) : '',
    series: summary && !explore ? seriesWords(summary) : '',
    waits: plays && !isMissing && summary?.started === false,
    left: due < Infinity ? leftWords(due) : '',
    explore,
    isTurn:
      !explore &&
      !isOver &&
      !isMissing &&
      (summary?.turns ?? false) &&
      mine.some(({ seat }) => summary?.to_act.includes(seat)),
    isOver,
    isMissing,
    action: explore ? 'Continue' : isOver ? 'Look back' : plays ? 'Continue' : 'Watch',
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
function nameWithLevel({ name, level }: Seat): string {
  return level === null ? name : `${name} (${heading(level)})`;
}

function stateWords(summary: Summary, isMissing: boolean): string {
  const { seats, started, hidden, paused, over, turns } = summary;
  if (over) return resultOf(summary);
  if (isMissing) return 'Not finished';
  if (!started) return waitingWords(seats);
  if (paused) return 'Paused';
  return (!hidden && turns && turnWords(seats, summary)) || 'In progress';
}

/** "You won 51–5", "Lost the tie-break, 12–12", "Lost on time", "Drawn 7–7"; if several players share this browser, the result by names. */
function resultOf(summary: Summary): string {
  const { seats, winners, reason } = summary;
  if (reason === 'draw') return 'Drawn by agreement';
  if (reason === 'record') return 'An unfinished record';
  const result = outcome(seats, summary);
  if (result === 'watched' || winners.length === 0) return resultWords(seats, summary, { reason });
  const names = (won: boolean): string =>
    list(seats.filter(({ mine, seat }) => !mine && winners.includes(seat) === won).map(({ name }) => name));
  const tied = isTieBreak(seats, summary) ? ' the tie-break,' : '';
  if (result === 'drawn') return `Drawn${tally(seats, summary)}`;
  if (result === 'won') {
    if (reason !== null) return `You won: ${names(false)} ${reason === 'time' ? 'ran out of time' : 'resigned'}`;
    if (summary.cooperative) return 'Won together';
    return winners.length > 1 ? `You won with ${names(true)}` : `You won${tied}${tally(seats, summary)}`;
  }
  if (reason !== null) return reason === 'time' ? 'Lost on time' : 'Lost: you resigned';
  return seats.length > 2 ? `Lost: ${names(true)} won` : `Lost${tied}${tally(seats, summary)}`;
}

/** Whether a finished game is one of a match or pair that goes on at another table, which is not known yet. */
export function awaitsNext({ over, explore, match, pair, standing, next }: Summary): boolean {
  if (!over || explore || next || !standing) return false;
  return match ? standing.match_winners === undefined : pair && standing.games % 2 === 1;
}

/** The tables to update: first those in progress, then those that are over. `settled`: tables that can’t change. */
export function unsettled(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  settled: ReadonlySet<string>,
  max: number,
): string[] {
  const isOver = (id: string): boolean => summaries.get(id)?.over ?? false;
  return tables
    .map(({ id }) => id)
    .filter((id) => !settled.has(id))
    .sort((a, b) => Number(isOver(a)) - Number(isOver(b)))
    .slice(0, max);
}

/** All finished games but the `max` newest. */
export function surplus(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  max: number,
): StoredTable[] {
  const when = ({ id }: StoredTable): number => summaries.get(id)?.when ?? 0;
  return tables
    .filter(({ id }) => summaries.get(id)?.over)
    .sort((a, b) => when(b) - when(a))
    .slice(max);
}

/** A game in one sentence: "IceFrogs with Computer – Your turn. 5 May, 10:00". */
export function sentence({ title, names, state, series, left, when }: Row): string {
  const more = [series, left].filter(Boolean).join(', ');
  const about = [names && `with ${names}`, state && `– ${state}`, more && `(${more})`].filter(Boolean).join(' ');
  return `${title} ${about}. ${dateWords(when)}`;
}

/** "Match, first to 2 wins · game 2 · 1–0", "Game 2 of 2", "Spring Cup"; empty for a single game. */
function seriesWords({ match, pair, tournament, standing, over, seats }: Summary): string {
  if (tournament) return storedTournament(tournament)?.name ?? 'Tournament';
  const number = (standing?.games ?? 0) + (over ? 0 : 1);
  if (!match) return pair ? `Game ${number % 2 === 0 ? 2 : 1} of 2` : '';
  const of = match.until === 'games' ? `game ${number} of ${match.number}` : `game ${number}`;
  const sums = match.until === 'wins' ? standing?.wins : standing?.scores;
  const order = [...seats].sort((a, b) => Number(b.mine) - Number(a.mine));
  const so = sums && standing!.games > 0 ? order.map(({ seat }) => Math.round(sums[seat]! * 100) / 100).join('–') : '';
  const first = match.until === 'wins' ? matchWords(match) : '';
  return [first && `First ${first.slice('first '.length)}`, first ? of : `Game ${of.slice('game '.length)}`, so]
    .filter(Boolean)
    .join(' · ');
}
