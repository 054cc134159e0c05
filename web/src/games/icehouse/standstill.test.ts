import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Standstill } from './standstill.svelte';
import type { Line } from './wire';

const CALL: Line = { seq: 9, seat: 0, text: 'icehouse', effects: [{ kind: 'finds', spaces: ['green'], value: null }] };
const VOID: Line = { ...CALL, effects: [{ kind: 'void', spaces: [], value: 100 }] };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('ends at the same moment on slow connections, but is visible there too', () => {
  for (const [lag, time] of [
    [0, 1000],
    [800, 600],
    [5000, 400],
  ] as const) {
    const standstill = new Standstill();
    standstill.handle(CALL, lag);
    vi.advanceTimersByTime(time - 1);
    expect(standstill.found).toEqual(['green']);
    vi.advanceTimersByTime(1);
    expect(standstill.call).toBeNull();
  }
});

it('puts off acts, and makes the last one at the end', () => {
  const standstill = new Standstill();
  const done: string[] = [];
  standstill.after(() => done.push('before'));
  standstill.handle(CALL, 0);
  standstill.after(() => done.push('first act'));
  standstill.after(() => done.push('second act'));
  expect(done).toEqual(['before']);
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['before', 'second act']);
});

it('is only for calls that count', () => {
  const standstill = new Standstill();
  standstill.handle(VOID, 0);
  expect(standstill.call).toBeNull();
});
