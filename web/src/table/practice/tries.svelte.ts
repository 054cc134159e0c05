/** Tries at a task, each at a private table of its own. */

import { onDestroy } from 'svelte';
import { errorText } from '../../app/http';
import { Session } from '../session/session.svelte';

export class Tries {
  /** Null while there is no table. */
  session = $state.raw<Session | null>(null);
  /** The last error, and a function that tries again. */
  trouble = $state.raw<{ text: string; again: () => void } | null>(null);
  #begun = 0;

  /** To be created with a component, with which the last try ends. */
  constructor() {
    onDestroy(() => {
      this.#begun += 1;
      this.session?.close();
    });
  }

  /** Begins a try at a new table; false if that failed, or another try has begun in the meantime. */
  async begin(create: () => Promise<{ table: string; codes: string[] }>, again: () => void): Promise<boolean> {
    this.#begun += 1;
    const created = await this.ask(create, again);
    if (!created) return false;
    this.session?.close();
    this.session = new Session(created.table, created.codes);
    return true;
  }

  /** Runs a request about the try; undefined if it fails, or another try has begun in the meantime. */
  async ask<T>(what: () => Promise<T>, again: () => void): Promise<T | undefined> {
    const current = this.#begun;
    this.trouble = null;
    try {
      const result = await what();
      return current === this.#begun ? result : undefined;
    } catch (error) {
      if (current === this.#begun) this.trouble = { text: errorText(error), again };
      return undefined;
    }
  }

  clear(): void {
    this.session?.close();
    this.session = null;
  }
}
