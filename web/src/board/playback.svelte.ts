/** Shows frames one after the other: the scene of each act ends before the next one begins. */

import { pace } from '../app/motion.svelte';
import type { Effect, Frame, Line } from '../wire';
import { momentsOf, type Moment, type Times } from './moments';

/** The animation of an act. */
export interface Scene {
  milliseconds: number;
  /** When its effects become visible; the others do at the end. */
  times?: Times;
  /** For how many milliseconds its end stays to be seen before the next act. */
  lasting?: number;
}

/** Plans the scene of the act between two frames; null: there is nothing to watch. */
type Plan<S, F> = (before: F, next: F) => S | null;

/** Called when these effects of an act become visible; without effects, at its start. */
export type Seen = (line: Line, effects: Effect[]) => void;

export class Playback<S extends Scene, F extends Frame = Frame> {
  /** The frame whose position is on the board; its scene may still be playing. */
  shown = $state.raw() as F;
  scene = $state.raw<S | null>(null);
  /** The frame before the one shown, while its scene is playing. */
  before = $state.raw<F | null>(null);
  elapsed = $state(0);

  #queue: F[] = [];
  /** The remaining moments of the act shown. */
  #moments: Moment[] = [];
  #plan: Plan<S, F>;
  #seen: Seen;
  #passed: (frame: F) => void;
  #tick = 0;
  /** Until when the end of the last scene stays, on the clock of `performance.now()`. */
  #lastsUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `passed` is called with each frame that follows the one shown, also if it is skipped. */
  constructor(first: F, plan: Plan<S, F>, seen: Seen = () => undefined, passed: (frame: F) => void = () => undefined) {
    this.shown = first;
    this.#plan = plan;
    this.#seen = seen;
    this.#passed = passed;
  }

  /** Shows `frame` after those before it or, if it is not the next one, immediately. */
  follow(frame: F): void {
    const newest = this.#queue.at(-1) ?? this.shown;
    if (frame === newest) return;
    if (frame.seq !== newest.seq + 1) return this.jump(frame);
    this.#queue.push(frame);
    if (!this.scene) this.#continue();
  }

  /** Shows `frame` immediately. */
  jump(frame: F): void {
    this.stop();
    this.shown = frame;
  }

  /** Shows the newest frame immediately. */
  finish(): void {
    this.#report(Infinity);
    this.#queue.forEach((frame) => this.#passed(frame));
    this.jump(this.#queue.at(-1) ?? this.shown);
  }

  /** Ends all scenes. */
  stop(): void {
    cancelAnimationFrame(this.#tick);
    clearTimeout(this.#timer);
    this.#lastsUntil = 0;
    this.#queue = [];
    this.#end();
  }

  #end(): void {
    this.#moments = [];
    this.scene = null;
    this.before = null;
  }

  /** Shows the next frame, once the end of the last scene has lasted. */
  #continue(): void {
    clearTimeout(this.#timer);
    const left = this.#lastsUntil - performance.now();
    if (left > 0) this.#timer = setTimeout(() => this.#next(), left);
    else this.#next();
  }

  #next(): void {
    const frame = this.#queue.shift();
    if (!frame) return;
    this.#passed(frame);
    const before = this.shown;
    this.scene = this.#plan(before, frame);
    this.before = this.scene && before;
    this.shown = frame;
    const end = this.scene?.milliseconds ?? 0;
    this.#moments = frame.line ? momentsOf(frame.line, this.scene?.times ?? {}, end) : [];
    if (this.scene) return this.#play(this.scene);
    this.#report(Infinity);
    this.#next();
  }

  #play(scene: S): void {
    const start = performance.now();
    const tick = (now: number) => {
      this.elapsed = Math.max(0, now - start) * pace();
      const over = this.elapsed >= scene.milliseconds;
      this.#report(over ? Infinity : this.elapsed);
      if (over) {
        this.#end();
        this.#lastsUntil = now + (scene.lasting ?? 0) / pace();
        if (this.#queue.length > 0) this.#continue();
      } else {
        this.#tick = requestAnimationFrame(tick);
      }
    };
    this.elapsed = 0;
    this.#tick = requestAnimationFrame(tick);
  }

  /** Reports the effects that have become visible. */
  #report(elapsed: number): void {
    const due = this.#moments.filter(({ at }) => at <= elapsed);
    this.#moments = this.#moments.slice(due.length);
    for (const { effects } of due) if (this.shown.line) this.#seen(this.shown.line, effects);
  }
}
