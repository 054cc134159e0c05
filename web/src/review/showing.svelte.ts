/** Positions that are shown one after another, each when the one before has been seen. */

import { pace } from '../app/motion.svelte';
import type { Frame } from '../wire';

/** How long a position rests before the next one, in milliseconds. */
const REST = 900;

export class Showing {
  /** The position to show; null: the table's own. */
  frame = $state.raw<Frame | null>(null);
  /** Whether nothing moves on the board. */
  settled = $state(true);
  #waiting = $state.raw<Frame[]>([]);

  /** To be created with a component: it makes an effect. `onframe` is called for each position as it comes. */
  constructor(onframe: (frame: Frame) => void) {
    $effect(() => {
      const [next, ...later] = this.#waiting;
      if (!next || !this.settled) return;
      const timer = setTimeout(() => {
        this.frame = next;
        this.#waiting = later;
        onframe(next);
      }, REST / pace());
      return () => clearTimeout(timer);
    });
  }

  /** Shows these one after another; `from` at once, before them. */
  play(frames: Frame[], from: Frame | null = this.frame): void {
    this.frame = from;
    this.#waiting = frames;
  }

  /** Shows one position, and no others after it. */
  look(frame: Frame | null): void {
    this.play([], frame);
  }
}
