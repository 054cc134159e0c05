const MIN_MS = 6000;
const MS_PER_CHARACTER = 60;

/** The time that a note stays, in milliseconds. */
export function readingTime(text: string): number {
  return Math.max(MIN_MS, text.length * MS_PER_CHARACTER);
}

/** Calls `done` once after a time, unless it is held; `run` restarts it. */
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
