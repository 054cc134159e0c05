/** Calls the user back to a hidden page: by a mark on its tab and, if the user wants them, by notifications. */

import { createSubscriber } from 'svelte/reactivity';
import { notices } from './prefs.svelte';

/** `missing`: the browser does not support notifications, or the address is not secure. */
export type Permission = NotificationPermission | 'missing';

const trackVisibility = createSubscriber((update) => {
  document.addEventListener('visibilitychange', update);
  return () => document.removeEventListener('visibilitychange', update);
});

export function isHidden(): boolean {
  trackVisibility();
  return document.hidden;
}

class Attention {
  /** The game waits for the user. */
  waiting = $state(false);
  /** Something happened while the page was hidden. */
  #called = $state(false);

  /** Whether the tab shows a mark. */
  get marked(): boolean {
    return isHidden() && (this.waiting || this.#called);
  }

  /** Calls the user back. `tag`: a later notification with the same tag replaces this one. */
  call(title: string, tag: string): void {
    this.#called = true;
    const notice = notify(title, tag);
    const clear = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', clear);
      this.#called = false;
      notice?.close();
    };
    document.addEventListener('visibilitychange', clear);
  }
}

export const attention = new Attention();

export function permission(): Permission {
  return typeof Notification === 'undefined' || !isSecureContext ? 'missing' : Notification.permission;
}

/** Requests permission for notifications if necessary, and remembers the answer. */
export async function requestNotices(): Promise<Permission> {
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
    return notifyByWorker(title, tag); // Chrome on Android shows notifications from service workers only
  }
}

function notifyByWorker(title: string, tag: string): Notice {
  const worker = navigator.serviceWorker?.getRegistration();
  void worker?.then((ready) => ready?.showNotification(title, { tag, data: location.href })).catch(() => undefined);
  const close = async () => (await (await worker)?.getNotifications({ tag }))?.forEach((notice) => notice.close());
  return { close: () => void close().catch(() => undefined) };
}
