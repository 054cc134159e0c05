import { describe, expect, it } from 'vitest';
import type { Effect, Line } from '../wire';
import { momentsOf } from './moments';

const effect = (kind: string, value = 0): Effect => ({ kind, spaces: [], value });

function line(...effects: Effect[]): Line {
  return { seq: 1, seat: 0, text: 'x', effects };
}

describe('the moments of an act', () => {
  it('begin with the act itself', () => {
    expect(momentsOf(line(), {}, 500)).toEqual([{ at: 0, effects: [] }]);
  });

  it('come in order, with effects without a time at the end', () => {
    const [fall, leap] = [effect('fall'), effect('leap')];
    expect(momentsOf(line(fall, leap), { leap: [100] }, 500).slice(1)).toEqual([
      { at: 100, effects: [leap] },
      { at: 500, effects: [fall] },
    ]);
  });

  it('show effects of one kind one after the other, the last ones together', () => {
    const [a, b, c] = [effect('reveals', 1), effect('reveals', 2), effect('reveals', 3)];
    expect(momentsOf(line(a, b, c), { reveals: [10, 20] }, 500).slice(1)).toEqual([
      { at: 10, effects: [a] },
      { at: 20, effects: [b, c] },
    ]);
  });

  it('show a single effect as often as it has times, like a pyramid that hops', () => {
    const path = effect('path');
    expect(momentsOf(line(path), { path: [200, 400] }, 400).slice(1)).toEqual([
      { at: 200, effects: [path] },
      { at: 400, effects: [path] },
    ]);
  });
});
