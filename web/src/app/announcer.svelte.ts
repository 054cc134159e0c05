/** Announcements for screen readers; `Spoken.svelte` holds the live regions. */

interface Note {
  id: number;
  text: string;
}

/** Enough for moves in quick succession all to be spoken. */
const KEPT = 6;

class Announcer {
  polite = $state.raw<Note[]>([]);
  assertive = $state.raw<Note[]>([]);
  #count = 0;

  say(text: string): void {
    this.polite = [...this.polite, this.#note(text)].slice(-KEPT);
  }

  interrupt(text: string): void {
    this.assertive = [this.#note(text)];
  }

  /** Another page: what was said of the last one holds no more. */
  clear(): void {
    this.polite = this.assertive = [];
  }

  #note(text: string): Note {
    this.#count += 1;
    return { id: this.#count, text };
  }
}

export const announcer = new Announcer();
