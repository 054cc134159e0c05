/** Announcements for screen readers; `Spoken.svelte` holds the live regions. */

interface Note {
  id: number;
  text: string;
}

/** Enough to speak all moves in quick succession. */
const MAX_NOTES = 6;

class Announcer {
  polite = $state.raw<Note[]>([]);
  assertive = $state.raw<Note[]>([]);
  #count = 0;

  say(text: string): void {
    this.polite = [...this.polite, this.#note(text)].slice(-MAX_NOTES);
  }

  interrupt(text: string): void {
    this.assertive = [this.#note(text)];
  }

  /** Drops what was said about the previous page. */
  clear(): void {
    this.polite = this.assertive = [];
  }

  #note(text: string): Note {
    this.#count += 1;
    return { id: this.#count, text };
  }
}

export const announcer = new Announcer();
