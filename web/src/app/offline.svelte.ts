/** The app without its server. */

import { online } from 'svelte/reactivity/window';

/** Lets this browser keep the app, so that it opens without a network; where it can't, nothing else changes. */
export function keepApp(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('service-worker.js').catch(() => undefined);
}

class Reach {
  /** Whether the server has answered when it was last asked. */
  #answers = $state(true);

  tell(answers: boolean): void {
    this.#answers = answers;
  }

  get offline(): boolean {
    return online.current === false;
  }

  /** Why the server can't be reached; empty: nothing is known against it. */
  get trouble(): string {
    if (this.offline) return 'You’re offline. Playing needs the server.';
    return this.#answers ? '' : 'Can’t reach the server. Try again in a moment.';
  }
}

export const reach = new Reach();
