import { describe, expect, it } from 'vitest';
import { people } from '../app/fixtures';
import type { Review, ReviewedAct, ReviewedSeat } from '../wire';
import { accounts, faultRows, moveWords, percent, progressWords, signed, sharesWords } from './words';

const SEATS = people('Ann', 'Ben').map((person) => ({ ...person, mine: person.seat === 1 }));

const SEAT: ReviewedSeat = {
  share: 1,
  start: 0.5,
  luck: 0.2,
  gifts: 0.4,
  regret: 0.12,
  drift: 0.02,
  end: 0,
  decisions: 9,
  unforced: 8,
  luck_adjusted: 0.8,
  error_rate: 15.2,
  accuracy: 0.873,
};

describe('shares of the game', () => {
  it('are rounded to whole percents', () => {
    expect(percent(0.184)).toBe('18%');
    expect(percent(-0.001)).toBe('0%');
    expect([0.184, -0.03, -0.001, 0].map(signed)).toEqual(['+18%', '−3%', '0%', '0%']);
  });

  it('are listed by seat, with “you” for the user', () => {
    expect(sharesWords(SEATS, [0.625, 0.375])).toBe('Ann 63%, You 38%');
    expect(moveWords(SEATS, 0, 7)).toBe('Ann’s move 7');
    expect(moveWords(SEATS, 1, 12)).toBe('your move 12');
  });
});

describe('progress', () => {
  it('is described in a sentence', () => {
    expect(progressWords(null)).toBe('Starting the review…');
    expect(progressWords({ done: 0, of: 0, ahead: 0, worths: [] })).toBe('Starting the review…');
    expect(progressWords({ done: 0, of: 0, ahead: 1, worths: [] })).toBe('Waiting: 1 other game first.');
    expect(progressWords({ done: 3, of: 40, ahead: 0, worths: [] })).toBe('Reviewed 3 of 40 positions.');
  });
});

function review(ended: Review['ended'], ...seats: ReviewedSeat[]): Review {
  return { type: 'turns', simulations: 1, seed: 0, positions: [], acts: [], seats, costliest: [], ended };
}

describe('the account of a seat', () => {
  it('explains an end outside the rules', () => {
    const seat = { ...SEAT, share: 0, end: -1 };
    const row = accounts(review('resign', seat)).find(({ name }) => name === 'The end');
    expect([row?.figures, row?.about]).toEqual([['−100%'], expect.stringContaining('resignation')]);
  });

  it('adds up', () => {
    const rows = Object.fromEntries(accounts(review(null, SEAT)).map(({ name, figures }) => [name, figures[0]]));
    expect(rows).toEqual({
      'At the start': '50%',
      Luck: '+20%',
      'Opponents’ mistakes': '+40%',
      'Own mistakes': '−12%',
      'Not explained': '+2%',
      'Share of the game': '100%',
      'Share without luck': '80%',
      'Error rate': '15',
    });
  });
});

it('counts the labelled moves of each seat, below its accuracy', () => {
  const none = { act: 'a', kind: 'decision', best: 'b', regret: 0 } as const;
  const act = (seat: number, label: ReviewedAct['label']): ReviewedAct => ({
    ...none,
    line: [],
    stake: 0,
    gifts: [],
    luck: [],
    drift: [],
    seat,
    label,
  });
  const acts = [act(0, 'blunder'), act(1, null), act(0, 'blunder'), act(1, 'inaccuracy')];
  const unknown = { ...SEAT, accuracy: null };
  const table = (...seats: ReviewedSeat[]) =>
    faultRows({ ...review(null, ...seats), acts }).map(({ name, figures }) => [name, ...figures]);
  expect(table(SEAT, unknown)[0]).toEqual(['Accuracy', '87%', '–']);
  expect(table(unknown, unknown)).toEqual([
    ['Inaccuracies', '0', '1'],
    ['Mistakes', '0', '0'],
    ['Blunders', '2', '0'],
  ]);
});
