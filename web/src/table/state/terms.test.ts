import { expect, it } from 'vitest';
import type { GameInfo, OptionSpec } from '../../wire';
import { shortTerms, termsWords } from './terms';

const GAME = {
  options: [
    { name: 'board', recommended: 'star' },
    { name: 'turn_limit', recommended: 400 },
    { name: 'size', recommended: null },
  ] as OptionSpec[],
} as GameInfo;
const PLAIN = {
  match: null,
  pair: false,
  clock: null,
  turns: true,
  random_seats: false,
  started: false,
  options: { board: 'star', turn_limit: 400, size: 4, players: 2 },
};

it('tells the terms of a table before anybody sits down', () => {
  expect(termsWords(PLAIN, GAME)).toEqual(['No clock']);
  expect(termsWords({ ...PLAIN, turns: false }, GAME)).toEqual([]);
  const slow = {
    ...PLAIN,
    match: { until: 'wins', number: 2 },
    clock: { per: 'act', seconds: 259_200, increment: 0 },
  } as const;
  expect(termsWords({ ...slow, random_seats: true, options: { ...PLAIN.options, board: 'hexagon' } }, GAME)).toEqual([
    'First to 2 wins',
    '3 days per move',
    'Random seats',
    'Board: hexagon',
  ]);
  expect(termsWords({ ...slow, started: true, random_seats: true }, undefined)).toEqual([
    'First to 2 wins',
    '3 days per move',
  ]);
});

it('tells during a game only what lasts longer than it', () => {
  expect(shortTerms(PLAIN)).toBe('');
  expect(shortTerms({ ...PLAIN, pair: true, clock: { per: 'game', seconds: 300, increment: 0 } })).toBe(
    'Two games, swapping seats',
  );
  expect(shortTerms({ ...PLAIN, clock: { per: 'act', seconds: 86_400, increment: 0 } })).toBe('1 day per move');
});
