/** Sentences about a table that hold for every game. */

import { counted, list } from '../app/words';
import type { Ending, Proposal, Seat, Standing, View } from '../wire';
import { shown, type TableState } from './table-state';

/** "You" where one player sits at this browser; with several, and for other seats, the name, or the number of the seat. */
export function who(seats: Seat[], seat: number): string {
  const one = seats.find((other) => other.seat === seat);
  if (!one) return 'Chance';
  return isYou(seats, one) ? 'You' : one.name || `Seat ${seat + 1}`;
}

export function isYou(seats: Seat[], seat: Seat): boolean {
  return seat.mine && seats.filter((other) => other.mine).length === 1;
}

/** Whose turn it is: "Your turn", "Ann's turn", "Ann and Ben to move", "Everyone plays at once". Empty after the end. */
export function turnWords(seats: Seat[], view: View): string {
  const names = view.to_act.map((seat) => who(seats, seat));
  if (names.length === 0) return '';
  if (seats.length > 1 && seats.every(({ seat }) => view.to_act.includes(seat))) return 'Everyone plays at once';
  if (names.length > 1) return `${list(names)} to move`;
  return names[0] === 'You' ? 'Your turn' : `${names[0]}’s turn`;
}

/** "Ann would like to go back to move 4". */
export function proposalWords(seats: Seat[], { by, what, target }: Proposal): string {
  const wishes: Record<Proposal['what'], string> = {
    undo: `to go back to ${target === 0 ? 'the start' : `move ${target}`}`,
    fill: `a bot to replace ${who(seats, target)}, who is away`,
    draw: 'to agree on a draw',
    pause: 'to pause the game',
    resume: 'to resume the game',
  };
  return `${who(seats, by)} would like ${wishes[what]}`;
}

/** "Waiting for 2 players". */
export function waitingWords(seats: Seat[]): string {
  const open = seats.filter((seat) => seat.kind === 'open').length;
  return `Waiting for ${open === 1 ? '1 player' : `${open} players`}`;
}

/**
 * "You win", "Ann wins", "Ann and Ben win together", "A draw"; of one player alone that it is over. Empty before.
 * Where the game was broken off, also why: "Ann ran out of time: you win", "Draw by agreement".
 */
export function resultWords(seats: Seat[], view: View, ending: Ending | null): string {
  if (!view.over) return '';
  if (ending?.reason === 'draw') return 'Draw by agreement';
  if (ending?.reason === 'time') return lateWords(seats, view);
  return winWords(seats, view);
}

function lateWords(seats: Seat[], view: View): string {
  const late = seats.filter(({ seat }) => !view.winners.includes(seat)).map(({ seat }) => who(seats, seat));
  const words = `${list(late)} ran out of time`;
  return view.winners.length > 0 ? `${words}: ${winWords(seats, view).replace(/^You/, 'you')}` : words;
}

function winWords(seats: Seat[], view: View): string {
  const names = view.winners.map((seat) => who(seats, seat));
  if (names.length === 0 || seats.length === 1) return 'The game is over';
  if (names.length > 1) return names.length === seats.length ? 'A draw' : `${list(names)} win together`;
  return names[0] === 'You' ? 'You win' : `${names[0]} wins`;
}

/** A warning that little time is left: "You have 10 seconds left". */
export function lowWords(seats: Seat[], seat: number, left: number): string {
  const name = who(seats, seat);
  return `${name} ${name === 'You' ? 'have' : 'has'} ${counted(Math.ceil(left / 1000), 'second')} left`;
}

/** "Ann 12, Ben 9"; empty where the scores only say who has won. */
export function scoreWords(seats: Seat[], view: View): string {
  if (view.scores.every((score) => score === 0 || score === 1)) return '';
  return seats.map((seat) => `${who(seats, seat.seat)} ${view.scores[seat.seat] ?? 0}`).join(', ');
}

/** "After 3 games: Ann 31, Bob 24", with ratings where a tournament gives them; empty after a single game. */
export function standingWords(seats: Seat[], { games, scores, leaders, ratings }: Standing): string {
  if (games < 2) return '';
  const rated = (seat: number): string => (ratings ? ` (rated ${Math.round((ratings[seat] ?? 0) * 10) / 10})` : '');
  const parts = seats.map((seat) => `${who(seats, seat.seat)} ${scores[seat.seat] ?? 0}${rated(seat.seat)}`);
  const level = scores.filter((score) => score === Math.max(...scores)).length;
  const names = leaders.map((seat) => who(seats, seat));
  const verb = names.length > 1 || names[0] === 'You' ? 'lead' : 'leads';
  const decided = level > leaders.length ? ` – ${list(names)} ${verb}` : '';
  return `After ${games} games: ${parts.join(', ')}${decided}`;
}

/** "Explore from here"; where the game is over, from before this browser's last move. */
export function exploreWords(state: TableState): string {
  return shown(state)?.view.over ? 'Explore from before your last move' : 'Explore from here';
}

/** The title of the page; `settled`: the board has shown all, and the title can tell the result. */
export function pageTitle({ table, live, ending }: TableState, settled: boolean): string {
  if (!table || !live) return 'Table – icetable';
  if (!table.started) return `${waitingWords(table.seats)} – ${table.title}`;
  const result = settled ? resultWords(table.seats, live.view, ending) : '';
  const turn = table.paused ? 'Game paused' : turnWords(table.seats, live.view);
  return [result || turn, table.title].filter(Boolean).join(' – ');
}
