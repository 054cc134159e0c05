import { beforeEach, expect, it } from 'vitest';
import { storage } from './fixtures';

const stored = storage();
const { doneSteps, firstOpen, markDone } = await import('./learned');

beforeEach(() => stored.clear());

it('remembers each step once, game by game', () => {
  markDone('frogs', 'jump');
  markDone('frogs', 'jump');
  markDone('frogs', 'chain');
  expect(doneSteps('frogs')).toEqual(['jump', 'chain']);
  expect(doneSteps('squad')).toEqual([]);
});

it('ignores what it did not write', () => {
  stored.set('icetable.learned.frogs', '{"a": 1}');
  expect(doneSteps('frogs')).toEqual([]);
  stored.set('icetable.learned.frogs', '["jump", 3]');
  expect(doneSteps('frogs')).toEqual(['jump']);
});

it.each([
  [[], 0],
  [['a'], 1],
  [['a', 'c'], 1],
  [['a', 'b', 'c'], 0],
])('after %j continues at %i', (done, index) => {
  expect(firstOpen([{ name: 'a' }, { name: 'b' }, { name: 'c' }], done)).toBe(index);
});
