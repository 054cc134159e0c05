/** Tells a tap on a button from a slip of the thumb that plays beside it. */

/** A tap so soon after another touch elsewhere is no decision. */
const PATH_MS = 150;

export class Slips {
  /** The touches elsewhere that are still down. */
  #down = new Set<number>();
  #last = -Infinity;
  #pressed = true;

  /** Notes that a touch begins or ends elsewhere. */
  touch(pointer: number, isDown: boolean, now: number): void {
    if (isDown) this.#down.add(pointer);
    else this.#down.delete(pointer);
    this.#last = now;
  }

  /** Notes that a touch begins on the button. */
  press(now: number): void {
    this.#pressed = this.#down.size === 0 && now - this.#last >= PATH_MS;
  }

  /** Whether the last touch on the button was meant. */
  get isMeant(): boolean {
    return this.#pressed;
  }
}
