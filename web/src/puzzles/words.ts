/** Words about tries at puzzles. */

import type { GameView } from '../board/game-view';
import { capital, verb, who, whose } from '../board/words';
import { playedWords, type WordsTable } from '../review/acts';
import { percent } from '../review/words';
import type { PuzzleVerdict, Seat } from '../wire';
import type { Result } from '../app/tried';

/** A verdict on a try; `told` is the explanation if `worth` is unknown. */
type Verdict = Pick<PuzzleVerdict, 'worth' | 'best' | 'reply'> & Partial<Pick<PuzzleVerdict, 'told'>>;

/** Explains why an act is wrong: "Green answers: junior on c2. That leaves you 20%; the best move gives 85%." */
export function refutation(verdict: Verdict, table: WordsTable, game: GameView | undefined, seat: number): string {
  const { reply, told = '', worth, best } = verdict;
  if (worth === null || best === null) return told;
  const answer = reply.find(({ line }) => line !== null && line.seat >= 0 && line.seat !== seat);
  const answerWords = answer?.line
    ? `${who(table.seats, answer.line.seat)} ${verb(table.seats, [answer.line.seat], 'answers')}: ${playedWords(answer.line, answer, table, game)}. `
    : '';
  return answerWords + valueWords(table.seats, seat, worth, best);
}

/** "That loses; there was a winning move.", "That leaves you 20%; the best move gives 85%." */
function valueWords(seats: Seat[], seat: number, worth: number, best: number): string {
  const [name, won] = [who(seats, seat), best === 1];
  if (worth === 0) return `That loses; ${won ? 'there was a winning move' : `the best move gives ${percent(best)}`}.`;
  if (won) return `${capital(whose(seats, seat))} chance to win is ${percent(worth)} now; there was a winning move.`;
  return `That leaves ${name === 'You' ? 'you' : name} ${percent(worth)}; the best move gives ${percent(best)}.`;
}

/** "solved", "solved after a mistake"; `capitalized`: "Solved". */
export function resultWords(result: Result, capitalized = false): string {
  const words = { solved: 'solved', late: 'solved after a mistake', failed: 'failed' }[result];
  return capitalized ? capital(words) : words;
}
