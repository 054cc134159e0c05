/** Practice: a player’s costly moves, to be tried again one after another. */

import { counted, list } from '../app/words';
import { who } from '../board/words';
import type { Retried, Review, Seat } from '../wire';
import { costWords, moveWords, percent } from './words';

/** A better move was found at the first try, found after a mistake, or shown; or the move was skipped. */
const RESULTS = ['found', 'late', 'shown', 'skipped'] as const;

export type Result = (typeof RESULTS)[number];

/** The indices of labelled moves by seats of this browser. */
export function mistakes({ acts }: Review, seats: Seat[]): number[] {
  return acts.flatMap(({ seat, label }, index) =>
    label && seats.some((own) => own.mine && own.seat === seat) ? index : [],
  );
}

/** "Your move 12 (c3 to b1) cut your chance to win by 48 points. Find a better one." */
export function taskWords(seats: Seat[], seat: number, number: number, move: string, regret: number): string {
  return `${moveWords(seats, seat, number)} (${move}) ${costWords(seats, seat, regret)}. Find a better one.`;
}

/** "Right: c3 to c4. That is the best move, with a chance to win of 62%." */
export function praise(move: string, { worth }: Retried, isBest: boolean): string {
  const how = isBest ? 'the best move' : 'as good as the best move';
  return `Right: ${move}. That is ${how}, with a chance to win of ${percent(worth)}.`;
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
