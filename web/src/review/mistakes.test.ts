import { expect, it } from 'vitest';
import { people } from '../app/fixtures';
import type { Retried, Review, ReviewedAct, Seat } from '../wire';
import { mistakes, praise, solutionWords, summaryWords, taskWords } from './mistakes';

function seats(...mine: number[]): Seat[] {
  return people('Ann', 'Ben').map((person) => ({ ...person, mine: mine.includes(person.seat) }));
}

function review(...acts: [seat: number, label: ReviewedAct['label']][]): Review {
  return { acts: acts.map(([seat, label]) => ({ seat, label })) } as unknown as Review;
}

it('are the user’s labelled moves, in the order of the game', () => {
  const found = review([0, 'mistake'], [1, 'blunder'], [-1, null], [0, null], [0, 'inaccuracy']);
  expect(mistakes(found, seats(0))).toEqual([0, 4]);
  expect(mistakes(found, seats(1))).toEqual([1]);
  expect(mistakes(found, seats(0, 1))).toEqual([0, 1, 4]);
  expect(mistakes(found, seats())).toEqual([]);
});

it('are described without the solution', () => {
  expect(taskWords(seats(0), 0, 12, 'c3 to b1', 0.481)).toBe(
    'Your move 12 (c3 to b1) cut your chance to win by 48 points. Find a better one.',
  );
  expect(taskWords(seats(0, 1), 1, 3, 'c3 to b1', 0.01)).toBe(
    'Ben’s move 3 (c3 to b1) cut Ben’s chance to win by 1 point. Find a better one.',
  );
});

it('praises a best move and an equally good one', () => {
  const verdict = { worth: 0.62, best: 0.63 } as Retried;
  expect(praise('c3 to c4', verdict, true)).toBe(
    'Right: c3 to c4. That is the best move, with a chance to win of 62%.',
  );
  expect(praise('c3 to d4', verdict, false)).toMatch(/^Right: c3 to d4. That is as good as the best move/);
});

it('describes the solution', () => {
  expect(solutionWords(seats(0), 0, 'c3 to c4', 0.62)).toBe('The best move: c3 to c4. It gives you 62%.');
  expect(solutionWords(seats(0, 1), 0, 'c3 to c4', 0.62)).toMatch(/It gives Ann 62/);
});

it('sums up the results', () => {
  expect(summaryWords(['found', 'skipped', 'found', 'shown', 'late'])).toBe(
    'Of 5 moves you found 2 right away, you found 1 after a mistake, the solution of 1 was shown and you skipped 1.',
  );
  expect(summaryWords(['found'])).toBe('Of 1 move you found 1 right away.');
});
