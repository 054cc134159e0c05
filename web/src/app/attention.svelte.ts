/** What a page that nobody sees does to be seen: a mark on its tab, and notices where the user wants them. */

import { createSubscriber } from 'svelte/reactivity';
import { notices } from './prefs.svelte';

/** `missing`: this browser has no notices, or not at this address, which is not secure. */
export type Permission = NotificationPermission | 'missing';

const shownAnew = createSubscriber((update) => {
  document.addEventListener('visibilitychange', update);
  return () => document.removeEventListener('visibilitychange', update);
});

export function isHidden(): boolean {
  shownAnew();
  return document.hidden;
}

class Attention {
  /** The game waits for the user. */
  waiting = $state(false);
  /** Something happened while the page was hidden. */
  #called = $state(false);

  /** Whether the tab is to bear a mark. */
  get marked(): boolean {
    return isHidden() && (this.waiting || this.#called);
  }

  /** Calls the user back to the hidden page. `tag`: a later notice with the same one takes its place. */
  call(title: string, tag: string): void {
    this.#called = true;
    const notice = notify(title, tag);
    const see = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', see);
      this.#called = false;
      notice?.close();
    };
    document.addEventListener('visibilitychange', see);
  }
}

export const attention = new Attention();

export function permission(): Permission {
  return typeof Notification === 'undefined' || !isSecureContext ? 'missing' : Notification.permission;
}

/** Asks the user, if need be, whether the browser may show notices, and remembers that they are wanted. */
export async function wantNotices(): Promise<Permission> {
  const answer = permission() === 'default' ? await Notification.requestPermission() : permission();
  notices.value = answer === 'granted';
  return answer;
}

interface Notice {
  close(): void;
}

function notify(title: string, tag: string): Notice | null {
  if (!notices.value || permission() !== 'granted') return null;
  try {
    const notice = new Notification(title, { tag });
    notice.onclick = () => {
      focus();
      notice.close();
    };
    return notice;
  } catch {
    return notifyByWorker(title, tag); // Chrome on Android shows notices of service workers alone
  }
}

function notifyByWorker(title: string, tag: string): Notice {
  const worker = navigator.serviceWorker?.getRegistration();
  void worker?.then((one) => one?.showNotification(title, { tag, data: location.href })).catch(() => undefined);
  const close = async () => (await (await worker)?.getNotifications({ tag }))?.forEach((one) => one.close());
  return { close: () => void close().catch(() => undefined) };
}
