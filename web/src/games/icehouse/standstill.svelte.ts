/**
 * Whenever somebody calls icehouse, play stands still for a second: all look who has called, and whom it finds.
 *
 * The rules know nothing of it. The server goes on judging by the order of arrival, so that nothing that is under way is
 * lost: what was let go counts, calls and gifts go out at once, and a piece that is taken meanwhile is taken at the end.
 */

import type { Line } from './wire';
import { effect, effects } from '../../board/words';

/** In milliseconds, from the call at the server on: all go on together, bots too (STANDSTILL in core/realtime.py). */
const LASTS = 1000;
/** It is long enough to be seen. */
const LEAST = 400;

export class Standstill {
  /** The call for which play stands still. */
  call = $state.raw<Line | null>(null);
  /** The colours of those whom it has found. */
  readonly found = $derived(this.call ? effects(this.call, 'finds').map(({ spaces }) => spaces[0]) : []);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #then: (() => void) | null = null;

  /** `lag`: to the server and back, in milliseconds. */
  see(line: Line, lag: number): void {
    if (!effect(line, 'finds') && !effect(line, 'false_call')) return;
    clearTimeout(this.#timer);
    this.call = line;
    this.#timer = setTimeout(() => this.end(), Math.max(LEAST, LASTS - lag / 2));
  }

  /** Does it now, or when play goes on; what was put off before is done no more. */
  after(what: () => void): void {
    if (this.call) this.#then = what;
    else what();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.call = null;
    const then = this.#then;
    this.#then = null;
    then?.();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
