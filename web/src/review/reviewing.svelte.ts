/** The review of the game at a table. The server computes it on request. */

import { errorText, fetchReview } from '../app/http';
import type { AnyReview, Review, ReviewProgress } from '../wire';

const POLL_MS = 1000;

export class Reviewing {
  review = $state.raw<AnyReview | null>(null);
  progress = $state.raw<ReviewProgress | null>(null);
  /** The error of the last request, if it failed. */
  trouble = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** The review of a game with turns. */
  get turnReview(): Review | null {
    return this.review?.type === 'turns' ? this.review : null;
  }

  /** Polls until the review is complete or `stop` is called, even while it is not shown. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.trouble = '';
    if (this.review === null) void this.#poll();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** For a game that is no longer over. */
  forget(): void {
    this.stop();
    this.review = this.progress = null;
    this.trouble = '';
  }

  async #poll(): Promise<void> {
    const timer = (this.#timer = setTimeout(() => void this.#poll(), POLL_MS));
    try {
      const result = await fetchReview(this.#table);
      if (this.#timer !== timer) return;
      if ('progress' in result) this.progress = result.progress;
      else this.review = result.review;
    } catch (error) {
      if (this.#timer === timer) this.trouble = errorText(error);
    }
    if (this.#timer === timer && (this.review || this.trouble)) this.stop();
  }
}
