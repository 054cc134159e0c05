import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchReview } from '../app/http';
import type { RealTimeReview } from '../wire';
import { Reviewing } from './reviewing.svelte';

vi.mock('../app/http', () => ({ fetchReview: vi.fn(), errorText: (error: Error) => error.message }));

const REVIEW: RealTimeReview = { type: 'real-time', parts: {} };
const PROGRESS = { done: 1, of: 2, ahead: 0, worths: [] };
const request = vi.mocked(fetchReview);

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  request.mockReset();
});

it('polls until the review is complete', async () => {
  request.mockResolvedValueOnce({ progress: PROGRESS }).mockResolvedValueOnce({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(reviewing.progress).toEqual(PROGRESS);
  await vi.advanceTimersByTimeAsync(5000);
  expect(reviewing.review).toEqual(REVIEW);
  reviewing.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect(request).toHaveBeenCalledTimes(2);
});

it('polls once even if it is shown in two places', async () => {
  request.mockResolvedValueOnce({ progress: PROGRESS }).mockResolvedValueOnce({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  reviewing.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect(request).toHaveBeenCalledTimes(2);
});

it('reports an error, and retries on request', async () => {
  request.mockRejectedValueOnce(new Error('Too many.')).mockResolvedValueOnce({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect([reviewing.trouble, request.mock.calls.length]).toEqual(['Too many.', 1]);
  reviewing.start();
  await vi.advanceTimersByTimeAsync(10);
  expect([reviewing.trouble, reviewing.review]).toEqual(['', REVIEW]);
});

it('ignores a response after it was stopped or the game was reopened', async () => {
  request.mockResolvedValue({ review: REVIEW });
  const reviewing = new Reviewing('t');
  reviewing.start();
  reviewing.forget();
  await vi.advanceTimersByTimeAsync(5000);
  expect([reviewing.review, request.mock.calls.length]).toEqual([null, 1]);
});
