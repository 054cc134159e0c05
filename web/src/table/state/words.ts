/** Sentences about a table, for every game. */

import { counted, list, ordinal, ORDINALS } from '../../app/words';
import type { GameView } from '../../board/game-view';
import { everyone, isYou, verb, who } from '../../board/words';
import type { Ending, Proposal, RoundNews, Seat, Standing, TableInfo, View } from '../../wire';
import { hasSeat, isWaiting, shown, type TableState } from './table-state';

export { isYou, who };

/** The part of a view that determines the result. */
type Outcome = Pick<View, 'over' | 'winners' | 'scores' | 'cooperative'>;

/**
 * Whose turn it is: "Your turn", "Ann’s turn", "Ann and Ben to move"; without turns "Go – everyone plays at once" or,
 * while the game `gathers` its players, "Get ready" or "Waiting for Ann". Empty after the end and for chance.
 */
export function turnWords(seats: Seat[], view: Pick<View, 'to_act'>, gathers = false): string {
  const names = view.to_act.filter((seat) => seat >= 0).map((seat) => who(seats, seat));
  if (names.length === 0) return '';
  if (gathers) {
    const mine = seats.some(({ seat, mine }) => mine && view.to_act.includes(seat));
    return mine ? 'Get ready' : `Waiting for ${list(names)}`;
  }
  if (seats.length > 1 && seats.every(({ seat }) => view.to_act.includes(seat))) return 'Go – everyone plays at once';
  if (names.length > 1) return `${list(names)} to move`;
  return names[0] === 'You' ? 'Your turn' : `${names[0]}’s turn`;
}

/** Why nobody at this browser can move now; empty if that is obvious: after the end, or while a move is being sent. */
export function idleWords(state: TableState): string {
  const { table, live, looking } = state;
  if (!table || !live || isWaiting(state) || (live.view.over && looking === null)) return '';
  if (looking !== null) return 'You are looking back. Go to the latest move to play on.';
  if (!hasSeat(table)) return 'You are watching this game.';
  if (table.paused) return 'The game is paused.';
  const words = turnWords(table.seats, live.view);
  return words && `Not yet: ${words}.`;
}

/** "Ann asks to take back a move", "You asked to take back a move": one's own request has been made. */
export function proposalWords(seats: Seat[], { by, what, target }: Proposal): string {
  const wishes: Record<Proposal['what'], string> = {
    undo: 'asks to take back a move',
    fill: `asks for a bot in place of ${who(seats, target)}, who is away`,
    draw: 'offers a draw',
    pause: 'asks to pause the game',
    resume: 'asks to resume the game',
  };
  const [does = '', ...rest] = wishes[what].split(' ');
  const isOwn = who(seats, by) === 'You';
  return [who(seats, by), isOwn ? `${does.slice(0, -1)}ed` : does, ...rest].join(' ');
}

/** The fate of a proposal that was not carried out: `by` declined or withdrew it; undefined: it has lapsed. */
export function droppedWords(seats: Seat[], proposal: Proposal, by: number | undefined): string {
  const cem = who(seats, proposal.target);
  const [thing, declined] = {
    undo: ['request to take back a move', 'declined to take back a move'],
    fill: [`request for a bot in place of ${cem}`, `declined a bot in place of ${cem}`],
    draw: ['draw offer', 'declined the draw'],
    pause: ['request to pause', 'declined to pause'],
    resume: ['request to resume', 'declined to resume'],
  }[proposal.what] as [string, string];
  if (by === undefined) return `The ${thing} has lapsed.`;
  return `${who(seats, by)} ${by === proposal.by ? `withdrew the ${thing}` : declined}.`;
}

/** "You play second.", until one's first act, if seats were drawn at random; otherwise empty. */
export function randomSeatWords({ table, live, lines }: TableState): string {
  const mine = table?.seats.filter((seat) => seat.mine) ?? [];
  const begins = table && live && live.seq < 2 * table.seats.length && !live.view.over;
  if (!begins || !table.random_seats || !table.started || mine.length !== 1) return '';
  const [{ seat }] = mine as [Seat];
  return lines?.some((line) => line.seat === seat) ? '' : `You play ${ORDINALS[seat]}.`;
}

/**
 * "Waiting for 2 players", or for somebody who may take one of the seats (`guest`) "Waiting for you and 1 more player";
 * if every seat is taken, "The game is about to start".
 */
export function waitingWords(seats: Seat[], guest: readonly number[] = []): string {
  const open = seats.filter((seat) => seat.kind === 'open').length;
  const isGuest = guest.length > 0 && !seats.some(({ mine }) => mine);
  if (open === 0) return 'The game is about to start';
  if (isGuest) return open === 1 ? 'Waiting for you' : `Waiting for you and ${counted(open - 1, 'more player')}`;
  return `Waiting for ${counted(open, 'player')}`;
}

/** "Ann has started the next game", or "Another player" if there are several. */
export function nextWords(seats: Seat[]): string {
  const others = seats.filter(({ kind, mine }) => kind === 'person' && !mine);
  const name = others.length === 1 ? others[0]!.name : 'Another player';
  return `${name} has started the next game`;
}

/** "Round 2: you play Ann"; what follows a finished game of a tournament. */
export function roundWords({ number, length, unfinished, table, against, bye, place }: RoundNews): string {
  if (place !== null) return `The tournament is over: you came ${ordinal(place)}`;
  if (table !== null) return `Round ${number} of ${length} has begun: you play ${list(against)}`;
  const games =
    unfinished > 0 ? `${counted(unfinished, 'game')} ${unfinished === 1 ? 'is' : 'are'} still being played` : '';
  if (bye) return `You have a bye in round ${number} of ${length}${games && `: ${games}`}`;
  return `Round ${number} of ${length}${games && `: ${games}`}`;
}

/** What a player without a next game may do meanwhile. */
export function roundHint({ table, place, number, length }: RoundNews): string {
  if (table !== null || place !== null || number >= length) return '';
  return ' The next round is announced here, with a sound.';
}

/** How bots play until they are compiled. */
export function warmingWords(seconds: number): string {
  const time = seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
  return `The computer plays below full strength for about ${time}`;
}

/**
 * "You win 51–5", "You lose: Ann wins 51–5", "You win the tie-break, 12–12", "Ann wins", "You and Ben win", "A draw",
 * "Everyone wins together"; for a single player, the points, if there are any. Empty during the game. If it was broken
 * off, also why: "Ann ran out of time: you win".
 */
export function resultWords(seats: Seat[], view: Outcome, ending: Pick<Ending, 'reason'> | null): string {
  if (!view.over) return '';
  if (ending?.reason === 'draw') return 'Draw by agreement';
  if (ending?.reason === 'record') return 'The record ends here';
  if (ending?.reason === 'time') return lostWords(seats, view, 'ran out of time');
  if (ending?.reason === 'resign') return lostWords(seats, view, seats.length === 1 ? 'gave up' : 'resigned');
  if (seats.length === 1) return aloneWords(seats, view);
  const how = isTieBreak(seats, view) ? ' the tie-break' : '';
  const count = tally(seats, view, view.winners[0]);
  return `${winWords(seats, view)}${how}${how && count ? `,${count}` : count}`;
}

/** The result for the reader; `watched` unless exactly one of several seats is theirs. */
export function outcome(
  seats: Seat[],
  view: Pick<View, 'winners' | 'cooperative'>,
): 'won' | 'lost' | 'drawn' | 'watched' {
  const mine = seats.filter((seat) => seat.mine);
  if (mine.length !== 1 || seats.length === 1) return 'watched';
  if (!view.winners.includes(mine[0]!.seat)) return 'lost';
  return isDraw(seats, view) ? 'drawn' : 'won';
}

/** Whether all seats share the win; in a cooperative game, that is not a draw. */
export function isDraw(seats: Seat[], { winners, cooperative }: Pick<View, 'winners' | 'cooperative'>): boolean {
  return winners.length === seats.length && !cooperative;
}

/** The reason for the result by the rules; empty if the game was broken off. */
export function reasonWords(
  { layout, seats }: Pick<TableInfo, 'layout' | 'seats'>,
  view: View,
  game: GameView | undefined,
): string {
  return view.over && view.ended_by !== null ? (game?.reason(layout, view, seats) ?? '') : '';
}

function lostWords(seats: Seat[], view: Outcome, what: string): string {
  const lost = seats.map(({ seat }) => seat).filter((seat) => !view.winners.includes(seat));
  const words = `${everyone(seats, lost)} ${what}`;
  if (view.winners.length === 0) return words;
  const names = everyone(seats, view.winners).replace(/^You/, 'you');
  return `${words}: ${names} ${verb(seats, view.winners, 'wins')}`;
}

function aloneWords(seats: Seat[], view: Outcome): string {
  const [points = 0] = view.scores;
  const isWon = view.winners.length > 0;
  if (isWon && points !== 1) return `Game over: ${counted(points, 'point')}`;
  return `${who(seats, 0)} ${verb(seats, [0], isWon ? 'wins' : 'loses')}`; // 1 is what a win counts without points
}

function winWords(seats: Seat[], view: Outcome): string {
  const { winners, cooperative } = view;
  if (cooperative) return winners.length > 0 ? 'Everyone wins together' : 'Everyone loses together';
  if (winners.length === 0) return 'Nobody wins';
  if (isDraw(seats, view)) return 'A draw';
  const lost = outcome(seats, view) === 'lost' ? 'You lose: ' : '';
  return `${lost}${everyone(seats, winners)} ${verb(seats, winners, 'wins')}`;
}

/** Whether more seats than have won have the most points. */
export function isTieBreak(seats: Seat[], view: Outcome): boolean {
  const { scores, winners, cooperative } = view;
  if (cooperative || !hasPoints(view) || winners.length === 0 || isDraw(seats, view)) return false;
  const most = Math.max(...scores);
  return (
    winners.every((seat) => scores[seat] === most) && scores.filter((score) => score === most).length > winners.length
  );
}

/** " 5–51" if they play for points: the score of seat `first`, by default the reader's, before those of the others. */
export function tally(
  seats: Seat[],
  view: Outcome,
  first = seats.find((seat) => isYou(seats, seat))?.seat ?? 0,
): string {
  if (seats.length === 1 || view.cooperative || !hasPoints(view)) return '';
  const others = view.scores.filter((_, seat) => seat !== first).sort((a, b) => b - a);
  return ` ${[view.scores[first], ...others].join('–')}`;
}

/** Whether the scores say more than who has won. */
export function hasPoints({ scores }: Outcome): boolean {
  return scores.some((score) => score !== 0 && score !== 1);
}

/** A warning that little time is left: "You have 10 seconds left". */
export function lowWords(seats: Seat[], seat: number, left: number): string {
  const name = who(seats, seat);
  return `${name} ${name === 'You' ? 'have' : 'has'} ${counted(Math.ceil(left / 1000), 'second')} left`;
}

/** "You: 12, Ann: 20, Ben: 9": the reader first, then the winners; empty for two, where the result says it all. */
export function scoreWords(seats: Seat[], view: View): string {
  if (seats.length < 3 || !hasPoints(view)) return '';
  const rank = (seat: Seat): number => 2 * Number(isYou(seats, seat)) + Number(view.winners.includes(seat.seat));
  return [...seats]
    .sort((a, b) => rank(b) - rank(a))
    .map(({ seat }) => `${who(seats, seat)}: ${view.scores[seat] ?? 0}`)
    .join(', ');
}

/** "After 3 games – Ann: 31, Bob: 24", with ratings if a tournament has them; empty after a single game. */
export function standingWords(seats: Seat[], { games, scores, leaders, ratings }: Standing): string {
  if (games < 2) return '';
  const rated = (seat: number): string => (ratings ? ` (rating ${Math.round((ratings[seat] ?? 0) * 10) / 10})` : '');
  const parts = seats.map((seat) => `${who(seats, seat.seat)}: ${scores[seat.seat] ?? 0}${rated(seat.seat)}`);
  const level = scores.filter((score) => score === Math.max(...scores)).length;
  const decided = level > leaders.length ? ` – ${everyone(seats, leaders)} ${verb(seats, leaders, 'leads')}` : '';
  return `After ${games} games – ${parts.join(', ')}${decided}`;
}

/** "Analysis board"; after the game, it starts before this browser's last move. */
export function exploreWords(state: TableState): string {
  return shown(state)?.view.over ? 'Analysis board, before your last move' : 'Analysis board';
}

/** "IceFrogs", or "Analysis – IceFrogs" for an analysis board. */
export function titleOf({ title, explore }: Pick<TableInfo, 'title' | 'explore'>): string {
  return explore ? `Analysis – ${title}` : title;
}

/** The title of the page; `settled`: the board has shown all moves, so the title may show the result. */
export function pageTitle({ table, live, ending }: TableState, settled: boolean, game?: GameView): string {
  if (!table || !live) return 'Table – icetable';
  if (!table.started) return `${waitingWords(table.seats, table.guest)} – ${table.title}`;
  const result = settled ? resultWords(table.seats, live.view, ending) : '';
  const turn = table.paused ? 'Game paused' : turnWords(table.seats, live.view, game?.gathers?.(live.view));
  return [result || turn, titleOf(table)].filter(Boolean).join(' – ');
}
