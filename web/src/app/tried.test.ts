import { beforeEach, expect, it } from 'vitest';
import { storage } from './fixtures';

const stored = storage();
const { daysInARow, recordDay, recordTry, tally, tried } = await import('./tried');

beforeEach(() => stored.clear());

it('remembers the result of the first try, and whether the puzzle was solved later, game by game', () => {
  recordTry('squad', '12345678', true);
  recordTry('squad', '0a', false);
  recordTry('squad', '0a', false);
  recordTry('squad', '00000001', false);
  recordTry('squad', '0a', true);
  recordTry('squad', '12345678', false);
  expect(tried('squad')).toEqual([
    { name: '12345678', result: 'solved' },
    { name: '0a', result: 'late' },
    { name: '00000001', result: 'failed' },
  ]);
  expect(tried('frogs')).toEqual([]);
});

it.each([
  ['', 0],
  ['sss', 3],
  ['sfs', 1],
  ['slf', 0],
])('after %s the streak is %i', (results, inARow) => {
  const names = { s: 'solved', l: 'late', f: 'failed' } as const;
  const all = [...results].map((letter, i) => ({ name: String(i), result: names[letter as 's' | 'l' | 'f'] }));
  expect(tally(all).inARow).toBe(inARow);
});

it('counts each result', () => {
  for (const name of 'abcd') recordTry('squad', name, name === 'a');
  recordTry('squad', 'b', true);
  expect(tally(tried('squad'))).toEqual({ solved: 1, late: 1, failed: 2, inARow: 0 });
});

it.each(['{"a": 1}', '7', 'no JSON', '[["a", "solved"]]', '[{"name": "a", "result": "won"}, {"name": 3}, null]'])(
  'ignores %s',
  (text) => {
    stored.set('icetable.puzzles.squad', text);
    stored.set('icetable.puzzle-days', text);
    expect(tried('squad')).toEqual([]);
    expect(daysInARow(100)).toBe(0);
  },
);

it('counts the days in a row with a solved puzzle of the day', () => {
  for (const day of [7, 10, 11, 11, 12]) recordDay(day);
  expect([11, 12, 13, 14].map(daysInARow)).toEqual([0, 3, 3, 0]);
  stored.set('icetable.puzzle-days', '{"last": 12, "inARow": -3}');
  expect(daysInARow(12)).toBe(0);
});
