/** How long a note stays. */

/** The least time, in milliseconds. */
const LEAST = 6000;
/** What a longer text needs for each of its characters, in milliseconds. */
const PER_CHARACTER = 60;

/** The time that a note of this text stays, in milliseconds. */
export function readingTime(text: string): number {
  return Math.max(LEAST, text.length * PER_CHARACTER);
}

/** Calls `done` once after a time, which begins anew when it is let go after it was held. */
export class Countdown {
  #milliseconds: number;
  #done: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number, done: () => void) {
    this.#milliseconds = milliseconds;
    this.#done = done;
    this.run();
  }

  run(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#done, this.#milliseconds);
  }

  hold(): void {
    clearTimeout(this.#timer);
  }
}
