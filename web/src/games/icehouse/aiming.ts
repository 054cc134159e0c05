/** Sends the position of a hand to the others: often enough to show motion, and again while it rests. */

const INTERVAL_MS = 200;
/** Other pages let a hand fade if they receive nothing. */
const REPEAT_MS = 1000;

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
    if (this.#timer === undefined) this.#update();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #update(): void {
    this.#timer = undefined;
    const [at, sent] = [this.#at, this.#sent];
    const rests = at?.[0] === sent?.[0] && at?.[1] === sent?.[1];
    if (at === null && sent === null) return;
    if (!rests || performance.now() - this.#sentAt >= REPEAT_MS) {
      this.#send(at);
      this.#sent = at;
      this.#sentAt = performance.now();
    }
    this.#timer = setTimeout(() => this.#update(), INTERVAL_MS);
  }
}
