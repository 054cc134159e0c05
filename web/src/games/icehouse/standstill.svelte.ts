/**
 * When somebody calls icehouse, play stands still for a second, so that everybody sees who called and whom it finds.
 *
 * The rules do not mention it. The server keeps judging acts in order of arrival, so none is lost: pieces that were let
 * go count, calls and gifts are sent immediately, and a piece taken during the standstill is taken at its end.
 */

import type { Line } from './wire';
import { effect, effects } from '../../board/words';

/** From the call at the server: all continue together, bots too (STANDSTILL in core/realtime.py). */
const STANDSTILL_MS = 1000;
const MIN_VISIBLE_MS = 400;

export class Standstill {
  /** The call that stopped play. */
  call = $state.raw<Line | null>(null);
  /** The colours of the players that it has found. */
  readonly found = $derived(this.call ? effects(this.call, 'finds').map(({ spaces }) => spaces[0]) : []);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #then: (() => void) | null = null;

  /** `lag`: the round-trip time to the server in milliseconds. */
  handle(line: Line, lag: number): void {
    if (!effect(line, 'finds') && !effect(line, 'false_call')) return;
    clearTimeout(this.#timer);
    this.call = line;
    this.#timer = setTimeout(() => this.end(), Math.max(MIN_VISIBLE_MS, STANDSTILL_MS - lag / 2));
  }

  /** Acts now, or when play continues, in place of any act that was put off before. */
  after(act: () => void): void {
    if (this.call) this.#then = act;
    else act();
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
