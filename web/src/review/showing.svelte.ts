/** Shows positions one after another, without interrupting motion on the board. */

import { pace } from '../app/motion.svelte';
import type { Frame } from '../wire';

/** Pause before the next position. */
const PAUSE_MS = 900;

export class Showing {
  /** The position to show; null: the table's own. */
  frame = $state.raw<Frame | null>(null);
  /** Whether nothing moves on the board. */
  settled = $state(true);
  #queue = $state.raw<Frame[]>([]);

  /** Must be called while a component is created, as it uses an effect. `onframe` is called with each new position. */
  constructor(onframe: (frame: Frame) => void) {
    $effect(() => {
      const [next, ...later] = this.#queue;
      if (!next || !this.settled) return;
      const timer = setTimeout(() => {
        this.frame = next;
        this.#queue = later;
        onframe(next);
      }, PAUSE_MS / pace());
      return () => clearTimeout(timer);
    });
  }

  /** Shows `from` immediately and the other positions after it. */
  play(frames: Frame[], from: Frame | null = this.frame): void {
    this.frame = from;
    this.#queue = frames;
  }

  /** Shows one position and stops. */
  show(frame: Frame | null): void {
    this.play([], frame);
  }
}
