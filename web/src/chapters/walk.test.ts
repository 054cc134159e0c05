import { expect, it } from 'vitest';
import { stepBy } from './walk';

it('steps by keys within the game', () => {
  const keys = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'x'];
  expect(keys.map((key) => stepBy(key, 12, 20))).toEqual([11, 13, 20, 2, 0, 20, undefined]);
  expect(stepBy('ArrowLeft', 0, 20)).toBe(0);
});
