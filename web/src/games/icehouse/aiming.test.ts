import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Aiming, type Place } from './aiming';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('sends a moving hand five times a second, repeats a resting one, and sends its end once', () => {
  const sent: Place[] = [];
  const aiming = new Aiming((at) => sent.push(at));
  aiming.move(null);
  for (let x = 0; x < 10; x++) {
    aiming.move([x, 0]);
    vi.advanceTimersByTime(50);
  }
  expect(sent).toEqual([
    [0, 0],
    [3, 0],
    [7, 0],
  ]);
  vi.advanceTimersByTime(2000);
  expect(sent.slice(3)).toEqual([
    [9, 0],
    [9, 0],
  ]);
  aiming.move(null);
  vi.advanceTimersByTime(5000);
  expect(sent.slice(5)).toEqual([null]);
  expect(vi.getTimerCount()).toBe(0);
});
