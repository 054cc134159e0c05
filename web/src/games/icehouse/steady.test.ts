import { expect, it } from 'vitest';
import { FIELD, stands } from './fixtures';
import { steady } from './steady';

it('keeps the list if nothing has changed', () => {
  expect(steady(FIELD, structuredClone(FIELD))).toBe(FIELD);
});

it('keeps each piece that has not changed', () => {
  const [first, ...others] = structuredClone(FIELD);
  const after = [{ ...first!, iced: false }, ...others, stands('p9', 'red', 'S', 1, 1)];
  const result = steady(FIELD, after);
  expect(result).toEqual(after);
  expect(result.map((piece, i) => piece === FIELD[i])).toEqual([false, true, true, true, false]);
});

it('notices that a piece was removed', () => {
  expect(steady(FIELD, FIELD.slice(1))).toEqual(FIELD.slice(1));
});
