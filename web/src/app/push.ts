/** Push notifications, which reach this browser even if its pages are closed. */

import type { NoticesRequest, PushKey } from '../wire';
import { ask } from './http';
import { read, write } from './storage';

/** Storage key of the codes whose seats this browser is subscribed to. The next game of a series has the same codes. */
const SUBSCRIBED_KEY = 'told';
const MAX_SUBSCRIBED = 100;
const WORKER_TIMEOUT_MS = 30_000;
const NO_WORKER_ERROR = 'This browser can’t store the app, which it needs to show notifications.';

/** The server's public key for subscriptions; null if the browser or the server does not support them. */
export async function pushKey(): Promise<string | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !isSecureContext) return null;
  return ((await (await ask('api/push')).json()) as PushKey).key;
}

export function isSubscribed(codes: readonly string[]): boolean {
  return codes.some((code) => subscribedCodes().includes(code));
}

/** Subscribes this browser to its seats at a table. The user must have allowed notifications. */
export async function subscribe(table: string, codes: string[], key: string): Promise<void> {
  await send(table, codes, await subscription(key), true);
  write(
    SUBSCRIBED_KEY,
    [...subscribedCodes().filter((code) => !codes.includes(code)), ...codes].slice(-MAX_SUBSCRIBED),
  );
}

export async function unsubscribe(table: string, codes: string[], key: string): Promise<void> {
  await send(table, codes, await subscription(key), false);
  write(
    SUBSCRIBED_KEY,
    subscribedCodes().filter((code) => !codes.includes(code)),
  );
}

function subscribedCodes(): string[] {
  const stored = read(SUBSCRIBED_KEY);
  return Array.isArray(stored) ? stored.filter((code) => typeof code === 'string') : [];
}

async function subscription(key: string): Promise<PushSubscription> {
  const timeout = new Promise<never>((_, reject) => setTimeout(reject, WORKER_TIMEOUT_MS, new Error(NO_WORKER_ERROR)));
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, timeout]);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const before = await pushManager.getSubscription();
    if (!before) throw error;
    await before.unsubscribe(); // it was for an earlier key of the server
    return pushManager.subscribe(options);
  }
}

async function send(table: string, codes: string[], to: PushSubscription, on: boolean): Promise<void> {
  const { endpoint, keys } = to.toJSON();
  const request: NoticesRequest = {
    codes,
    endpoint: endpoint ?? '',
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    on,
  };
  await ask(`api/tables/${encodeURIComponent(table)}/notices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
}
