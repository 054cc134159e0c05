import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchReview } from '../app/http';
import type { RealTimeReview } from '../wire';
import { Reviewing } from './reviewing.svelte';

vi.mock('../app/http', () => ({ fetchReview: vi.fn(), errorText: (error: Error) => error.message }));

const REVIEW: RealTimeReview = { type: 'real-time', told: {} };
const PROGRESS = { done: 1, of: 2, ahead: 0, worths: [] };
const asked = vi.mocked(fetchReview);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  asked.mockReset();
});

it('asks until the review is there', async () => {
  asked.mockResolvedValueOnce({ progress: PROGRESS }).mockResolvedValueOnce({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(reviewing.progress).toEqual(PROGRESS);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reviewing.review).toEqual(REVIEW);
  reviewing.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveBeenCalledTimes(2);
});

it('asks no more often where it is shown in two places', async () => {
  asked.mockResolvedValueOnce({ progress: PROGRESS }).mockResolvedValueOnce({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  reviewing.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveBeenCalledTimes(2);
});

it('says why there is none, and tries again when it is told to', async () => {
  asked.mockRejectedValueOnce(new Error('Too many.')).mockResolvedValueOnce({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect([reviewing.trouble, asked.mock.calls.length]).toEqual(['Too many.', 1]);
  reviewing.start();
  await vi.advanceTimersByTimeAsync(10);
  expect([reviewing.trouble, reviewing.review]).toEqual(['', REVIEW]);
});

it('takes no answer that comes after it was stopped or the game was reopened', async () => {
  asked.mockResolvedValue({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  reviewing.forget();
  await vi.advanceTimersByTimeAsync(5000);
  expect([reviewing.review, asked.mock.calls.length]).toEqual([null, 1]);
});
