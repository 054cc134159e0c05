import { expect, it } from 'vitest';
import { FIELD, stands } from './fixtures';
import { steady } from './steady';

it('keeps all where nothing has changed', () => {
  expect(steady(FIELD, structuredClone(FIELD))).toBe(FIELD);
});

it('keeps each piece that has not changed', () => {
  const [first, ...others] = structuredClone(FIELD);
  const after = [{ ...first!, iced: false }, ...others, stands('p9', 'red', 'S', 1, 1)];
  const kept = steady(FIELD, after);
  expect(kept).toEqual(after);
  expect(kept.map((piece, i) => piece === FIELD[i])).toEqual([false, true, true, true, false]);
});

it('notices that a piece is gone', () => {
  expect(steady(FIELD, FIELD.slice(1))).toEqual(FIELD.slice(1));
});
