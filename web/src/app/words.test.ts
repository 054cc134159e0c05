import { expect, it } from 'vitest';
import { heading, list, valueWords, withStop } from './words';

it('values read back as they are typed', () => {
  expect(valueWords([10, 20])).toBe('10, 20');
  expect(valueWords(true)).toBe('yes');
  expect(valueWords('two_by_two')).toBe('two by two');
});

it('lists names', () => {
  expect(list(['Ann'])).toBe('Ann');
  expect(list(['Ann', 'Ben', 'Cem'])).toBe('Ann, Ben and Cem');
});

it.each([
  ['Ann invites you to play Squad', 'Ann invites you to play Squad.'],
  ["Ann invites you to play Who's On The Squad?", "Ann invites you to play Who's On The Squad?"],
  ['', ''],
])('ends %j once', (text, ended) => {
  expect(withStop(text)).toBe(ended);
});

it('turns an internal name into a heading', () => {
  expect(heading('cols')).toBe('Columns');
  expect(heading('turn_limit')).toBe('Turn limit');
});
