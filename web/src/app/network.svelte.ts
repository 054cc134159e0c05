/** How others reach the pages now: a server can be opened, closed and restarted while a page shows its address. */

import { untrack } from 'svelte';
import { announcer } from './announcer.svelte';
import { askReach, isLoopback, letIn, NOWHERE, type Reach } from './reaching';

const UPDATE_MS = 10_000;

class NetworkState {
  /** Undefined until it is known. */
  reach = $state.raw<Reach>();

  /** Whether only this machine can open the pages. */
  get isAlone(): boolean {
    return this.reach?.base === null;
  }

  #followers = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Keeps `reach` up to date; returns a function that stops it. */
  follow(): () => void {
    this.#followers += 1;
    if (this.#followers === 1) {
      untrack(() => void this.#update()); // an effect that follows must not run again with every answer
      if (isLoopback(location.hostname)) this.#timer = setInterval(() => void this.#update(), UPDATE_MS);
    }
    return () => {
      this.#followers -= 1;
      if (this.#followers === 0) clearInterval(this.#timer);
    };
  }

  /** Opens the server to a network, or closes it again. Throws the server’s errors. */
  async choose(host: string, open: boolean): Promise<void> {
    this.reach = await letIn(host, open);
    announcer.say(open ? 'Others in your network can open the link now.' : 'Closed to your network again.');
  }

  /** Without an answer, the last one stays: a server that restarts may come back at the same address. */
  async #update(): Promise<void> {
    if (this.reach && document.visibilityState === 'hidden') return;
    const last = this.reach;
    const found = await askReach().catch(() => last ?? NOWHERE);
    if (this.reach !== last) return; // a network was chosen meanwhile
    if (JSON.stringify(found) !== JSON.stringify(last)) this.reach = found;
  }
}

export const network = new NetworkState();
