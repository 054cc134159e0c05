/** Tries at a task, each at a private table of its own, with the server's verdict on each. */

import { onDestroy, tick } from 'svelte';
import { announcer } from '../../app/announcer.svelte';
import { errorText } from '../../app/http';
import { reach } from '../../app/offline.svelte';
import { Showing } from '../../review/showing.svelte';
import type { Frame } from '../../wire';
import { Session } from '../session/session.svelte';
import { shown } from '../state/table-state';

export interface Verdict {
  /** Null while the try goes on. */
  is_right: boolean | null;
  /** How the others answer a wrong try, position by position. */
  reply: Frame[];
  /** The solution, from the position of the task. */
  answer: Frame[];
}

export interface Task<V extends Verdict> {
  create(): Promise<{ table: string; codes: string[] }>;
  /** Asks for the verdict at a position; null: the player claims that no act is needed. */
  judge(table: string, frame: Frame | null): Promise<V>;
  onbegin?(): void;
  /** Called with each verdict that ends a try. */
  ondecided(verdict: V): void;
}

export class Tries<V extends Verdict = Verdict> {
  /** Null while there is no table. */
  session = $state.raw<Session | null>(null);
  /** The last error, and a function that tries again. */
  trouble = $state.raw<{ text: string; again: () => void } | null>(null);
  /** The position after the player's act, in games with turns: it stays on the board until the verdict arrives. */
  acted = $state.raw<Frame | null>(null);
  /** The verdict that ended the try. */
  verdict = $state.raw<V | null>(null);
  /** The solution is shown. */
  revealed = $state(false);
  readonly showing = new Showing((frame) => this.#say(frame));

  #task: Task<V>;
  #begun = 0;
  /** The number of acts at the last request for a verdict. */
  #judged = 0;
  /** The board gets the focus once it has loaded. */
  #focusBoard: boolean;

  /** To be created with a component, with which the last try ends. */
  constructor(task: Task<V>, { focusBoard = false } = {}) {
    this.#task = task;
    this.#focusBoard = focusBoard;
    $effect(() => {
      const live = this.session?.state.live;
      if (!live?.line || live.seq <= this.#judged || this.acted || this.verdict) return;
      this.#judged = live.seq;
      if (this.table?.turns) this.acted = live;
      void this.judge(live);
    });
    $effect(() => {
      if (!this.session?.view || !this.session.state.live || !this.#focusBoard) return;
      this.#focusBoard = false;
      void focus('.board [tabindex="0"]');
    });
    onDestroy(() => {
      this.#begun += 1;
      this.session?.close();
    });
  }

  get table() {
    return this.session?.state.table ?? null;
  }

  /** The position at the table. */
  get frame(): Frame | null {
    return this.session && shown(this.session.state);
  }

  /** The solution, or the reply to the try; `from`: the position before its first move. */
  get line(): { title: string; from: Frame | null; frames: Frame[] } {
    const [start = null, ...answer] = this.verdict?.answer ?? [];
    if (this.revealed) return { title: 'The solution', from: start, frames: answer };
    const title = this.verdict?.is_right ? 'What may follow' : 'The reply';
    return { title, from: this.acted, frames: this.verdict?.reply ?? [] };
  }

  /** Begins a try at a new table. */
  begin = async (): Promise<void> => {
    this.#begun += 1;
    const created = await this.ask(
      () => this.#task.create(),
      () => void this.begin(),
    );
    if (!created) return;
    this.session?.close();
    this.session = new Session(created.table, created.codes);
    this.acted = this.verdict = null;
    this.revealed = false;
    this.#judged = 0;
    this.showing.show(null);
    this.#task.onbegin?.();
  };

  again = async (): Promise<void> => {
    await this.begin();
    this.#focusBoard = true;
  };

  /** Asks for a verdict. */
  async judge(frame: Frame | null): Promise<void> {
    const id = this.table?.id;
    if (id === undefined) return;
    const verdict = await this.ask(
      () => this.#task.judge(id, frame),
      () => void this.judge(frame),
    );
    // If the server itself has refused, for example because it has lost the table, only a new table helps.
    if (this.trouble && !reach.trouble) this.trouble = { ...this.trouble, again: () => void this.begin() };
    if (!verdict || this.verdict) return;
    if (verdict.is_right === null) {
      this.acted = null;
      return;
    }
    this.verdict = verdict;
    this.#task.ondecided(verdict);
    if (!verdict.is_right) this.watch();
    await focus('.words .main');
  }

  async reveal(verdict: V | null = this.verdict): Promise<void> {
    this.verdict = verdict;
    this.revealed = true;
    this.watch();
    await focus('.words .main');
  }

  /** Plays the line from its start. */
  watch = (): void => {
    const { frames, from } = this.line;
    this.showing.play(frames, from);
  };

  /** Runs a request about the try; undefined if it fails, or another try has begun in the meantime. */
  async ask<T>(request: () => Promise<T>, again: () => void): Promise<T | undefined> {
    const current = this.#begun;
    this.trouble = null;
    try {
      const result = await request();
      return current === this.#begun ? result : undefined;
    } catch (error) {
      if (current === this.#begun) this.trouble = { text: errorText(error), again };
      return undefined;
    }
  }

  #say({ line }: Frame): void {
    const { table } = this;
    if (line && table && this.session?.view) announcer.say(this.session.view.say(table.layout, line, table.seats));
  }
}

/** Focuses an element of the page once it is up to date. */
async function focus(selector: string): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>(`main ${selector}`)?.focus({ preventScroll: true });
}
