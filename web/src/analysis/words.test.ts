import { expect, it } from 'vitest';
import { people } from '../app/fixtures';
import type { Analysed } from '../wire';
import { depthWords, spokenWords, valueWords } from './words';

const SEATS = people('Ann', 'Ben').map((seat) => ({ ...seat, mine: true }));

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

it('describes a position for screen readers', () => {
  const words = (changes: Partial<Analysed>) => spokenWords({ ...FOUND, ...changes }, SEATS, { S: 'small' });
  const shares = 'Ann 62%, Ben 38%.';
  expect(words({})).toBe(`Best: small on b1. ${shares}`);
  expect(words({ seat: -1, candidates: [] })).toBe(`Chance is next. ${shares}`);
  expect(words({ seat: null, candidates: [] })).toBe(`The game is over here. ${shares}`);
});

it('describes the progress of the search', () => {
  expect(depthWords(FOUND)).toBe('4,000 simulations, searching…');
  expect(depthWords({ ...FOUND, last: true })).toBe('4,000 simulations');
  expect(depthWords({ ...FOUND, exact: true })).toBe('This is solved.');
  expect(depthWords({ ...FOUND, exact: true, seat: null })).toBe('This is certain.');
});

it('names solved values', () => {
  expect([
    valueWords(0.62, false),
    valueWords(1, false),
    valueWords(1, true),
    valueWords(0, true),
    valueWords(0.5, true),
  ]).toEqual(['62%', '100%', 'wins', 'loses', '50%, solved']);
});
