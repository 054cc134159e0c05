/** Words about tries at puzzles. */

import type { GameView } from '../board/game-view';
import { capital, verb, who } from '../board/words';
import { playedWords, type WordsTable } from '../review/acts';
import { percent } from '../review/words';
import type { PuzzleVerdict } from '../wire';
import type { Result } from '../app/tried';

/** A verdict on a try; `explanation` is shown if `worth` is unknown. */
type Verdict = Pick<PuzzleVerdict, 'worth' | 'best' | 'reply'> & Partial<Pick<PuzzleVerdict, 'explanation'>>;

/** Explains why an act is wrong: "Green replies: junior on c2. Not it: 20% to win. The best move gives 85%." */
export function refutation(verdict: Verdict, table: WordsTable, game: GameView | undefined, seat: number): string {
  const { reply, explanation = '', worth, best } = verdict;
  if (worth === null || best === null) return explanation;
  const answer = reply.find(({ line }) => line !== null && line.seat >= 0 && line.seat !== seat);
  const answerWords = answer?.line
    ? `${who(table.seats, answer.line.seat)} ${verb(table.seats, [answer.line.seat], 'replies')}: ${playedWords(answer.line, answer, table, game)}. `
    : '';
  return answerWords + valueWords(worth, best);
}

/** "Not it: that loses. A different move wins outright.", "Not it: 20% to win. The best move gives 85%." */
function valueWords(worth: number, best: number): string {
  const now = worth === 0 ? 'that loses' : `${percent(worth)} to win`;
  return `Not it: ${now}. ${best === 1 ? 'A different move wins outright' : `The best move gives ${percent(best)}`}.`;
}

/** "solved", "solved after a mistake"; `capitalized`: "Solved". */
export function resultWords(result: Result, capitalized = false): string {
  const words = { solved: 'solved', late: 'solved after a mistake', failed: 'failed' }[result];
  return capitalized ? capital(words) : words;
}
