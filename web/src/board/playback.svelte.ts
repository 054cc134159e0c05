/** Frames as they are shown: each new act plays out before the next one is seen. */

import type { Frame } from '../wire';

/** What an act looks like while it happens. */
export interface Scene {
  milliseconds: number;
}

/** The scene of the act that leads from a frame to the next; null where there is nothing to watch. */
type Plan<S, F> = (before: F, next: F) => S | null;

export class Playback<S extends Scene, F extends Frame = Frame> {
  /** The frame whose position is on the board; its scene may still be playing. */
  shown = $state.raw() as F;
  scene = $state.raw<S | null>(null);
  /** The frame before the one shown, while its scene is playing. */
  before = $state.raw<F | null>(null);
  elapsed = $state(0);

  #waiting: F[] = [];
  #plan: Plan<S, F>;
  #tick = 0;

  constructor(first: F, plan: Plan<S, F>) {
    this.shown = first;
    this.#plan = plan;
  }

  /** Shows `frame` after what is still to be shown; at once where it is not the next one. */
  follow(frame: F): void {
    const newest = this.#waiting.at(-1) ?? this.shown;
    if (frame === newest) return;
    if (frame.seq !== newest.seq + 1) return this.jump(frame);
    this.#waiting.push(frame);
    if (!this.scene) this.#next();
  }

  /** Shows `frame` at once. */
  jump(frame: F): void {
    this.stop();
    this.shown = frame;
  }

  /** Shows the newest frame at once. */
  finish(): void {
    this.jump(this.#waiting.at(-1) ?? this.shown);
  }

  /** Ends all scenes. */
  stop(): void {
    cancelAnimationFrame(this.#tick);
    this.#waiting = [];
    this.#end();
  }

  #end(): void {
    this.scene = null;
    this.before = null;
  }

  #next(): void {
    const frame = this.#waiting.shift();
    if (!frame) return;
    const before = this.shown;
    this.scene = this.#plan(before, frame);
    this.before = this.scene && before;
    this.shown = frame;
    if (this.scene) this.#play(this.scene);
    else this.#next();
  }

  #play(scene: S): void {
    const start = performance.now();
    const tick = (now: number) => {
      this.elapsed = Math.max(0, now - start);
      if (this.elapsed < scene.milliseconds) {
        this.#tick = requestAnimationFrame(tick);
      } else {
        this.#end();
        this.#next();
      }
    };
    this.elapsed = 0;
    this.#tick = requestAnimationFrame(tick);
  }
}
