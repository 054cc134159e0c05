/** Tells the others where a hand is: often enough that they see it move, and again while it rests. */

/** In milliseconds. */
const EVERY = 200;
/** Those who watch let a hand fade that they hear nothing of. */
const AGAIN = 1000;

export type Place = [x: number, y: number] | null;

export class Aiming {
  #send: (at: Place) => void;
  #at: Place = null;
  #sent: Place = null;
  #sentAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (at: Place) => void) {
    this.#send = send;
  }

  move(at: Place): void {
    this.#at = at;
    if (this.#timer === undefined) this.#tell();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    const [at, sent] = [this.#at, this.#sent];
    const rests = at?.[0] === sent?.[0] && at?.[1] === sent?.[1];
    if (at === null && sent === null) return;
    if (!rests || performance.now() - this.#sentAt >= AGAIN) {
      this.#send(at);
      this.#sent = at;
      this.#sentAt = performance.now();
    }
    this.#timer = setTimeout(() => this.#tell(), EVERY);
  }
}
