/** The review of the game at a table, which the server works out when it is asked for. */

import { errorText, fetchReview } from '../app/http';
import type { AnyReview, Review, ReviewProgress } from '../wire';

/** After how many milliseconds it is asked for again. */
const AGAIN = 1000;

export class Reviewing {
  /** Null until it is there. */
  review = $state.raw<AnyReview | null>(null);
  progress = $state.raw<ReviewProgress | null>(null);
  /** Why there is none; empty while there is hope. */
  trouble = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;
  #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** What a search found of a game of turns. */
  get found(): Review | null {
    return this.review?.type === 'turns' ? this.review : null;
  }

  /** Asks until the review is there, or until `stop`: also while the page shows something else. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.trouble = '';
    if (this.review === null) void this.#ask();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The game is not over any more. */
  forget(): void {
    this.stop();
    this.review = this.progress = null;
    this.trouble = '';
  }

  async #ask(): Promise<void> {
    const turn = (this.#timer = setTimeout(() => void this.#ask(), AGAIN));
    try {
      const told = await fetchReview(this.#table);
      if (this.#timer !== turn) return;
      if ('progress' in told) this.progress = told.progress;
      else this.review = told.review;
    } catch (error) {
      if (this.#timer === turn) this.trouble = errorText(error);
    }
    if (this.#timer === turn && (this.review || this.trouble)) this.stop();
  }
}
