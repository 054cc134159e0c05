/** Frames as they are shown: each new act flies before the next one is seen. */

import type { Frame } from '../../wire';
import { duration, positionAt, type Flight } from './flight';

type Plan = (before: Frame, next: Frame) => Flight | null;

export class Playback {
  /** The frame whose position is on the board; its moved pyramid may still be flying. */
  shown = $state.raw() as Frame;
  flight = $state.raw<Flight | null>(null);
  elapsed = $state(0);

  #waiting: Frame[] = [];
  #plan: Plan;
  #tick = 0;

  constructor(first: Frame, plan: Plan) {
    this.shown = first;
    this.#plan = plan;
  }

  /** Where the flying pyramid is. */
  get position(): ReturnType<typeof positionAt> | null {
    return this.flight && positionAt(this.flight, this.elapsed);
  }

  /** Shows `frame` after what is still to be shown; at once where it is not the next one. */
  follow(frame: Frame): void {
    const newest = this.#waiting.at(-1) ?? this.shown;
    if (frame === newest) return;
    if (frame.seq !== newest.seq + 1) return this.jump(frame);
    this.#waiting.push(frame);
    if (!this.flight) this.#next();
  }

  /** Shows `frame` at once. */
  jump(frame: Frame): void {
    this.stop();
    this.shown = frame;
  }

  /** Shows the newest frame at once. */
  finish(): void {
    this.jump(this.#waiting.at(-1) ?? this.shown);
  }

  /** Ends all flights. */
  stop(): void {
    cancelAnimationFrame(this.#tick);
    this.#waiting = [];
    this.flight = null;
  }

  #next(): void {
    const frame = this.#waiting.shift();
    if (!frame) return;
    this.flight = this.#plan(this.shown, frame);
    this.shown = frame;
    if (this.flight) this.#fly(this.flight);
    else this.#next();
  }

  #fly(flight: Flight): void {
    const start = performance.now();
    const tick = (now: number) => {
      this.elapsed = now - start;
      if (this.elapsed < duration(flight)) {
        this.#tick = requestAnimationFrame(tick);
      } else {
        this.flight = null;
        this.#next();
      }
    };
    this.elapsed = 0;
    this.#tick = requestAnimationFrame(tick);
  }
}
