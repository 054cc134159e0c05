import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Countdown, readingTime } from './countdown';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('closes a short note after six seconds, and a long one later', () => {
  expect(readingTime('Not your turn.')).toBe(6000);
  expect(readingTime('x'.repeat(500))).toBe(30_000);
});

it('stops while the note is held, and restarts after that', () => {
  const done = vi.fn();
  const countdown = new Countdown(6000, done);
  vi.advanceTimersByTime(5999);
  countdown.hold();
  vi.advanceTimersByTime(60_000);
  expect(done).not.toHaveBeenCalled();
  countdown.run();
  vi.advanceTimersByTime(5999);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(done).toHaveBeenCalledOnce();
});
