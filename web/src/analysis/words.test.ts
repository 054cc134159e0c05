import { expect, it } from 'vitest';
import { people } from '../app/fixtures';
import type { Analysed } from '../wire';
import { depthWords, spokenWords, worthOf } from './words';

const SEATS = people('Ann', 'Ben').map((one) => ({ ...one, mine: true }));

const FOUND: Analysed = {
  type: 'analysed',
  seq: 1,
  simulations: 4000,
  last: false,
  seat: 0,
  worth: [0.62, 0.38],
  exact: false,
  candidates: [{ act: 'S@b1', worth: [0.62, 0.38], visits: 9, exact: false, line: ['S@b1'] }],
  outcomes: [],
};

it('a position is spoken in one go', () => {
  const told = (changes: Partial<Analysed>) => spokenWords({ ...FOUND, ...changes }, SEATS, { S: 'small' });
  const worth = 'Ann 62\u00a0%, Ben 38\u00a0%.';
  expect(told({})).toBe(`Best: small on b1. ${worth}`);
  expect(told({ seat: -1, candidates: [] })).toBe(`Chance is next. ${worth}`);
  expect(told({ seat: null, candidates: [] })).toBe(`The game is over here. ${worth}`);
});

it('the depth is told', () => {
  expect(depthWords(FOUND)).toBe('4,000 simulations, searching on…');
  expect(depthWords({ ...FOUND, last: true })).toBe('4,000 simulations');
  expect(depthWords({ ...FOUND, exact: true })).toBe('This is solved.');
  expect(depthWords({ ...FOUND, exact: true, seat: null })).toBe('This is certain.');
});

it('what is solved is called so', () => {
  expect([worthOf(0.62, false), worthOf(1, false), worthOf(1, true), worthOf(0, true), worthOf(0.5, true)]).toEqual([
    '62\u00a0%',
    '100\u00a0%',
    'wins',
    'loses',
    '50\u00a0%, solved',
  ]);
});
