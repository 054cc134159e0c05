import { expect, it } from 'vitest';
import { ranked } from './solved';

it('lists acts by value, the best first', () => {
  expect(ranked({ a: 'loss', b: 'win', c: 'draw', d: 'win' })).toEqual([
    { value: 'win', acts: ['b', 'd'] },
    { value: 'draw', acts: ['c'] },
    { value: 'loss', acts: ['a'] },
  ]);
  expect(ranked({ a: 6, b: 12, c: -1 }).map(({ value }) => value)).toEqual([12, 6, -1]);
  expect(ranked({})).toEqual([]);
});
