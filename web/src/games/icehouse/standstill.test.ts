import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Standstill } from './standstill.svelte';
import type { Line } from './wire';

const CALL: Line = { seq: 9, seat: 0, text: 'icehouse', effects: [{ kind: 'finds', spaces: ['green'], value: null }] };
const AGAIN: Line = { ...CALL, effects: [{ kind: 'void', spaces: [], value: 100 }] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ends at the same moment on slow lines, but is seen there too', () => {
  for (const [lag, time] of [
    [0, 1000],
    [800, 600],
    [5000, 400],
  ] as const) {
    const still = new Standstill();
    still.see(CALL, lag);
    vi.advanceTimersByTime(time - 1);
    expect(still.found).toEqual(['green']);
    vi.advanceTimersByTime(1);
    expect(still.call).toBeNull();
  }
});

it('puts off what is done meanwhile, and loses nothing of it', () => {
  const still = new Standstill();
  const done: string[] = [];
  still.after(() => done.push('before'));
  still.see(CALL, 0);
  still.after(() => done.push('first wish'));
  still.after(() => done.push('second wish'));
  expect(done).toEqual(['before']);
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['before', 'second wish']);
});

it('is only for calls that count', () => {
  const still = new Standstill();
  still.see(AGAIN, 0);
  expect(still.call).toBeNull();
});
