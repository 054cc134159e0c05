/** Tries at something: each has a private table of its own, and what comes of an older one is ignored. */

import { onDestroy } from 'svelte';
import { errorText } from '../../app/http';
import { Session } from '../session/session.svelte';

export class Tries {
  /** Null as long as there is no table. */
  session = $state.raw<Session | null>(null);
  /** What failed, and what tries it again. */
  trouble = $state.raw<{ text: string; again: () => void } | null>(null);
  #begun = 0;

  /** For a component: the last try ends with it. */
  constructor() {
    onDestroy(() => {
      this.#begun += 1;
      this.session?.close();
    });
  }

  /** Begins a try at a table with the codes of its seats; whether it is the one that goes on. */
  async begin(create: () => Promise<{ table: string; codes: string[] }>, again: () => void): Promise<boolean> {
    this.#begun += 1;
    const made = await this.ask(create, again);
    if (!made) return false;
    this.session?.close();
    this.session = new Session(made.table, made.codes);
    return true;
  }

  /** What the server says about the try; undefined where it says nothing, or nobody waits for it any more. */
  async ask<T>(what: () => Promise<T>, again: () => void): Promise<T | undefined> {
    const mine = this.#begun;
    this.trouble = null;
    try {
      const told = await what();
      return mine === this.#begun ? told : undefined;
    } catch (error) {
      if (mine === this.#begun) this.trouble = { text: errorText(error), again };
      return undefined;
    }
  }

  /** There is no table for now. */
  clear(): void {
    this.session?.close();
    this.session = null;
  }
}
