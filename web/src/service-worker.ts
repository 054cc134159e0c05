/**
 * The service worker: it keeps the app in the browser, so that it opens without a network.
 *
 * A page comes from the server where that answers, else from the cache; its bundles have names that change with their
 * contents, so no page gets the bundles of another version. Of what the server tells, games, rules, lessons and the lists of
 * puzzles are kept, as last seen; tables, records and codes never are.
 */

export {}; // a module, for what looks at it

/** What the types for pages lack of a worker's. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface NoticeEvent extends WorkerEvent {
  notification: Notification;
}

interface PushEvent extends WorkerEvent {
  data: { json(): unknown } | null;
}

interface WorkerClient {
  url: string;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
}

interface Worker {
  addEventListener(kind: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(kind: 'fetch', listener: (event: RequestEvent) => void): void;
  addEventListener(kind: 'notificationclick', listener: (event: NoticeEvent) => void): void;
  addEventListener(kind: 'push', listener: (event: PushEvent) => void): void;
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  clients: {
    claim(): Promise<void>;
    matchAll(which: { type: 'window' }): Promise<WorkerClient[]>;
    openWindow(address: string): Promise<unknown>;
  };
}

/** The build puts it in. */
declare const __KEPT__: { version: string; bundles: string[] };

const worker = self as unknown as Worker;
const { version, bundles } = __KEPT__;

/** Where this server’s pages are; others may have the same host. */
const BASE = new URL('.', location.href);
const NAME = `icetable${BASE.pathname.slice(0, -1)}`;
const APPS = `${NAME}-app-`;
const APP = APPS + version;
const READING = `${NAME}-reading`;
const GAMES = 'api/games';

worker.addEventListener('install', (event) => event.waitUntil(keepApp()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(String(event.notification.data)));
});
worker.addEventListener('push', (event) => event.waitUntil(tell(event.data?.json())));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const [address] = request.url.split(/[?#]/, 1);
  if (request.method !== 'GET' || !address?.startsWith(BASE.href)) return;
  const path = address.slice(BASE.href.length);
  if (path.startsWith('assets/')) event.respondWith(bundle(request));
  else if (isReading(path)) event.respondWith(reading(request));
  else if (request.mode === 'navigate' && !path.startsWith('api/')) event.respondWith(page(request));
});

/** The games, the rules of one, its lesson, or the list of its puzzles. */
function isReading(path: string): boolean {
  return path === GAMES || /^api\/(rules|lessons|puzzles)\/[^/]+$/.test(path);
}

async function keepApp(): Promise<void> {
  const cache = await caches.open(APP);
  await Promise.all(bundles.map(async (name) => cache.put(name, (await caches.match(name)) ?? (await got(name)))));
  const index = await got(new Request(BASE, { cache: 'no-cache' }));
  const named = (await index.clone().text()).match(/assets\/[^"]+/g) ?? [];
  if (!named.every((name) => bundles.includes(name))) throw new Error('the server was updated meanwhile');
  await cache.put(BASE, index);
  await (await caches.open(READING)).add(GAMES);
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(APPS) && name !== APP);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** Shows a notice of the server about a table, unless its page is on show. A later one takes its place. */
async function tell(told: unknown): Promise<void> {
  const { table, title, text } = told as Record<'table' | 'title' | 'text', string>;
  const address = new URL(`table/${encodeURIComponent(table)}`, BASE).href;
  const tabs = await worker.clients.matchAll({ type: 'window' });
  if (tabs.some(({ url, visibilityState }) => url === address && visibilityState === 'visible')) return;
  await worker.registration.showNotification(`${text} – ${title}`, { tag: table, data: address });
}

/** Brings the tab with this address to the front, or opens one. */
async function showPage(address: string): Promise<void> {
  const tabs = await worker.clients.matchAll({ type: 'window' });
  const tab = tabs.find(({ url }) => url === address);
  await (tab ? tab.focus() : worker.clients.openWindow(address));
}

async function bundle(request: Request): Promise<Response> {
  return (await kept(request)) ?? fetch(request);
}

async function page(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => null);
  // A proxy that misses its server answers in its place.
  if (answer && answer.status < 500) return answer;
  return (await kept(BASE)) ?? answer ?? Response.error();
}

async function reading(request: Request): Promise<Response> {
  const answer = await fetch(request).catch(() => null);
  if (!answer) return (await kept(request)) ?? Response.error();
  if (answer.ok) await keep(request, answer.clone());
  return answer;
}

/** What is kept for a request; where the browser fails, that is nothing. */
async function kept(request: Request | URL): Promise<Response | undefined> {
  return caches.match(request, { ignoreVary: true }).catch(() => undefined);
}

/** Keeps an answer, if there is room. */
async function keep(request: Request, answer: Response): Promise<void> {
  try {
    await (await caches.open(READING)).put(request, answer);
  } catch {
    // it is read without being kept
  }
}

/** What is at an address; an Error if there is nothing. */
async function got(address: string | Request): Promise<Response> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}`);
  return answer;
}
