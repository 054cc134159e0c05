import { expect, it } from 'vitest';
import { actWords, parseAct } from './acts';

const KINDS = { S: 'small', L: 'large', 'diag-away': 'diagonally away' };

it('parses acts of all games', () => {
  expect(parseAct('S@b1')).toEqual({ piece: 'S', to: 'b1', swap: false, die: false });
  expect(parseAct('L:cyan@b2')).toEqual({ piece: 'L', to: 'b2', swap: false, die: false });
  expect(parseAct('b2-c3')).toEqual({ from: 'b2', to: 'c3', swap: false, die: false });
  expect(parseAct('~d1*e8')).toEqual({ from: 'd1', to: 'e8', swap: true, die: true });
  expect(parseAct('end')).toEqual({ swap: false, die: false });
});

it('describes acts in words', () => {
  const acts = ['S@b1', 'L:cyan@b2', 'Q@b2', 'b2-c3', '~d8-d7', '~d1*e8', 'end', 'pass', 'die:diag-away'];
  expect(acts.map((act) => actWords(act, KINDS))).toEqual([
    'small on b1',
    'large cyan on b2',
    'Q on b2',
    'b2–c3',
    'die d8–d7',
    'swap d1 and e8',
    'end the turn',
    'pass',
    'die: diagonally away',
  ]);
  expect(['roll:112', 'deal:121'].map((act) => actWords(act, {}))).toEqual(['dice 1 1 2', 'the numbers are shown']);
});
