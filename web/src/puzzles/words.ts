/** What is said of a try at a puzzle. */

import type { GameView } from '../board/game-view';
import { capital, verb, who, whose } from '../board/words';
import { playedWords, type Told } from '../review/acts';
import { percent } from '../review/words';
import type { PuzzleVerdict, Seat } from '../wire';
import type { Result } from '../app/tried';

/** What a verdict on a try tells of it; `told` where nothing is known of its worth. */
type Tried = Pick<PuzzleVerdict, 'worth' | 'best' | 'reply'> & Partial<Pick<PuzzleVerdict, 'told'>>;

/** "Green answers: junior on c2. That leaves you 20 %; the best move gives 85 %.": why an act is wrong. */
export function refutation(verdict: Tried, table: Told, game: GameView | undefined, seat: number): string {
  const { reply, told = '', worth, best } = verdict;
  if (worth === null || best === null) return told;
  const answer = reply.find(({ line }) => line !== null && line.seat >= 0 && line.seat !== seat);
  const said = answer?.line
    ? `${who(table.seats, answer.line.seat)} ${verb(table.seats, [answer.line.seat], 'answers')}: ${playedWords(answer.line, answer, table, game)}. `
    : '';
  return said + worthWords(table.seats, seat, worth, best);
}

/** "That loses; there was a winning move.", "That leaves you 20 %; the best move gives 85 %." */
function worthWords(seats: Seat[], seat: number, worth: number, best: number): string {
  const [name, whole] = [who(seats, seat), best === 1];
  if (worth === 0) return `That loses; ${whole ? 'there was a winning move' : `the best move gives ${percent(best)}`}.`;
  if (whole) return `${capital(whose(seats, seat))} chance to win is ${percent(worth)} now; there was a winning move.`;
  return `That leaves ${name === 'You' ? 'you' : name} ${percent(worth)}; the best move gives ${percent(best)}.`;
}

/** "solved", "solved after a mistake"; `whole`: as a sentence begins. */
export function resultWords(result: Result, whole = false): string {
  const words = { solved: 'solved', late: 'solved after a mistake', failed: 'failed' }[result];
  return whole ? capital(words) : words;
}
