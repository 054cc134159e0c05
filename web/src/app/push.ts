/** Notices that reach this browser though its pages are closed, where the server sends any. */

import type { NoticesRequest, PushKey } from '../wire';
import { ask } from './http';
import { read, write } from './storage';

/** The seats, each by its code, that this browser is told of. The next game of a series has the same codes. */
const TOLD = 'told';
const MAX_TOLD = 100;
/** For so many milliseconds the service worker, which shows the notices, may get ready. */
const PATIENCE = 30_000;
const NOT_KEPT = 'This browser does not keep the app, which would show the notifications.';

/** The key by which this browser subscribes; null where it can’t, or the server sends none. */
export async function pushKey(): Promise<string | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !isSecureContext) return null;
  return ((await (await ask('api/push')).json()) as PushKey).key;
}

export function isTold(codes: readonly string[]): boolean {
  return codes.some((code) => told().includes(code));
}

/** Has the server tell this browser of its seats at a table. The user must have allowed notices. */
export async function beTold(table: string, codes: string[], key: string): Promise<void> {
  await want(table, codes, await subscription(key), true);
  write(TOLD, [...told().filter((code) => !codes.includes(code)), ...codes].slice(-MAX_TOLD));
}

export async function beToldNoMore(table: string, codes: string[], key: string): Promise<void> {
  await want(table, codes, await subscription(key), false);
  write(
    TOLD,
    told().filter((code) => !codes.includes(code)),
  );
}

function told(): string[] {
  const kept = read(TOLD);
  return Array.isArray(kept) ? kept.filter((code) => typeof code === 'string') : [];
}

async function subscription(key: string): Promise<PushSubscription> {
  const late = new Promise<never>((_, reject) => setTimeout(reject, PATIENCE, new Error(NOT_KEPT)));
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, late]);
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const before = await pushManager.getSubscription();
    if (!before) throw error;
    await before.unsubscribe(); // it was for another key, as the server had it before
    return pushManager.subscribe(options);
  }
}

async function want(table: string, codes: string[], to: PushSubscription, on: boolean): Promise<void> {
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
