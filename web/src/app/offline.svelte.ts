/** The app without its server. */

import { online } from 'svelte/reactivity/window';

/** Installs the service worker, so that the app opens without a network; all else works without it. */
export function installWorker(): void {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('service-worker.js').catch(() => undefined);
}

class Reach {
  /** Whether the last request reached the server. */
  #answered = $state(true);

  report(answered: boolean): void {
    this.#answered = answered;
  }

  get offline(): boolean {
    return online.current === false;
  }

  /** Why the server can't be reached; empty if no problem is known. */
  get trouble(): string {
    if (this.offline) return 'You’re offline. Playing needs the server.';
    return this.#answered ? '' : 'Can’t reach the server. Try again in a moment.';
  }
}

export const reach = new Reach();
