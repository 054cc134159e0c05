/** A game of two for tests: Ann is red, and you are Ben, blue. */

import { people } from '../../../app/fixtures';
import type { Review, Seat as Account } from './wire';

export const SEATS = people('Ann', 'Ben').map((person) => ({ ...person, mine: person.seat === 1 }));

const ACCOUNT: Account = {
  score: 3,
  account: { stood: 6, iced: -5, freed: 0, attacked: 4, spoilt: -2, icehouse: 0 },
  placed: 9,
  attacks: 2,
  wasted: 1,
  taken: 0,
  prisoners: 0,
  given: 0,
  crashes: 0,
  open: 1200,
  endangered: 61_000,
  acts: 7,
  pause: 2345,
  longest_pause: 9999,
  quickest: 4100,
  answer: null,
};

/** Play lasts from 0:10 to 1:50 of the table’s time; Ann scores in the middle. */
export function review(changes: Partial<Review> = {}): Review {
  return {
    colours: ['red', 'blue'],
    began: 10_000,
    ended: 110_000,
    ended_by: 'IH-31',
    winners: [0],
    seats: [ACCOUNT, ACCOUNT],
    course: [
      { act: 0, at: 0, scores: [0, 0] },
      { act: 1, at: 10_000, scores: [0, 0] },
      { act: 2, at: 60_000, scores: [3, 0] },
      { act: 3, at: 110_000, scores: [3, 0] },
    ],
    changes: [],
    icings: [],
    dangers: [],
    chances: [],
    calls: [],
    meltdowns: [],
    captures: [],
    crashes: [],
    wasted: [],
    ...changes,
  };
}
