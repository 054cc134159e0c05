/** Practice: a player’s costly moves, to be tried again one after another. */

import { counted, list } from '../app/words';
import { capital, who } from '../board/words';
import type { Retried, Review, Seat } from '../wire';
import { costWords, moveWords, percent } from './words';

/** A better move was found at the first try, found after a mistake, or shown; or the move was skipped. */
const RESULTS = ['found', 'late', 'shown', 'skipped'] as const;

export type Result = (typeof RESULTS)[number];

/** The indices of labelled moves by seats of this browser; `first`: a move of theirs to begin with, by its index. */
export function mistakes({ acts }: Review, seats: Seat[], first: number | null = null): number[] {
  const isOwn = (index: number): boolean => seats.some(({ mine, seat }) => mine && seat === acts[index]?.seat);
  const found = acts.flatMap(({ label }, index) => (label && isOwn(index) ? [index] : []));
  return first !== null && isOwn(first) ? [first, ...found.filter((index) => index !== first)] : found;
}

/** "Your move 12 (c3 to b1) cut your chance to win by 48 points. Find a better move for you." */
export function taskWords(review: Review, seats: Seat[], index: number, move: string): string {
  const { seat } = review.acts[index]!;
  const name = who(seats, seat);
  const about = `${capital(moveWords(seats, seat, index + 1))} (${move}) ${costWords(review, seats, index)}`;
  return `${about}. Find a better move for ${name === 'You' ? 'you' : name}.`;
}

/** "Right: c3 to c4 is the best move, 62% to win." */
export function praise(move: string, { worth }: Retried, isBest: boolean): string {
  return `Right: ${move} is ${isBest ? 'the best move' : 'as good as the best move'}, ${percent(worth)} to win.`;
}

/** Least gain of a try that is called better, in shares of the game. */
const MIN_GAIN = 0.05;

/** "Better: 50% to win instead of 12%. The best move gives 85%."; null: it is no better than the move in the game. */
export function gainWords({ worth, best }: Retried, played: number): string | null {
  if (worth < played + MIN_GAIN) return null;
  return `Better: ${percent(worth)} to win instead of ${percent(played)}. The best move gives ${percent(best)}.`;
}

/** "The best move: c3 to c4. It gives Ann 62%." */
export function solutionWords(seats: Seat[], seat: number, move: string, share: number): string {
  const name = who(seats, seat);
  return `The best move: ${move}. It gives ${name === 'You' ? 'you' : name} ${percent(share)}.`;
}

/** "Of 5 moves you found 2 right away, you found 1 after a mistake and you skipped 2." */
export function summaryWords(results: Result[]): string {
  const count = (wanted: Result): number => results.filter((result) => result === wanted).length;
  const words: Record<Result, (number: number) => string> = {
    found: (number) => `you found ${number} right away`,
    late: (number) => `you found ${number} after a mistake`,
    shown: (number) => `the solution of ${number} was shown`,
    skipped: (number) => `you skipped ${number}`,
  };
  const parts = RESULTS.flatMap((result) => (count(result) > 0 ? words[result](count(result)) : []));
  return `Of ${counted(results.length, 'move')} ${list(parts)}.`;
}
