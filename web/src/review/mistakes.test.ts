import { expect, it } from 'vitest';
import { people } from '../app/fixtures';
import type { Retried, Review, ReviewedAct, Seat } from '../wire';
import { gainWords, mistakes, praise, solutionWords, summaryWords, taskWords } from './mistakes';

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
  expect(mistakes(found, seats(0), 3)).toEqual([3, 0, 4]);
  expect(mistakes(found, seats(0), 4)).toEqual([4, 0]);
  expect(mistakes(found, seats(0), 1)).toEqual([0, 4]);
});

it('are described without the solution', () => {
  const costs = (seat: number, regret: number, before: number): Review =>
    ({ acts: [{ seat, regret }], positions: [{ worth: [before, before] }] }) as unknown as Review;
  expect(taskWords(costs(0, 0.481, 0.6), seats(0), 0, 'c3 to b1')).toBe(
    'Your move 1 (c3 to b1) cut your chance to win by 48 points. Find a better move for you.',
  );
  expect(taskWords(costs(1, 0.01, 1), seats(0, 1), 0, 'c3 to b1')).toBe(
    'Ben’s move 1 (c3 to b1) cut Ben’s chance to win by 1 point. Find a better move for Ben.',
  );
  expect(taskWords(costs(0, 1, 1), seats(0), 0, 'c3 to b1')).toMatch(
    /^Your move 1 \(c3 to b1\) threw away a certain win\./,
  );
});

it('praises a best move and an equally good one', () => {
  const verdict = { worth: 0.62, best: 0.63 } as Retried;
  expect(praise('c3 to c4', verdict, true)).toBe('Right: c3 to c4 is the best move, 62% to win.');
  expect(praise('c3 to d4', verdict, false)).toMatch(/^Right: c3 to d4 is as good as the best move/);
});

it('says that a try was better than the move in the game, if not the best', () => {
  expect(gainWords({ worth: 0.5, best: 0.85 } as Retried, 0.12)).toBe(
    'Better: 50% to win instead of 12%. The best move gives 85%.',
  );
  expect(gainWords({ worth: 0.14, best: 0.85 } as Retried, 0.12)).toBeNull();
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
