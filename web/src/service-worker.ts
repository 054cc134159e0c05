/**
 * The service worker, which caches the app, so that it opens without a network.
 *
 * Pages come from the server or, if it does not answer, from the cache; the names of bundles change with their
 * contents, so no page gets the bundles of another version. Of the server's data, games, rules, lessons and lists of
 * puzzles are cached as last seen; tables, records and codes never are.
 */

export {}; // a module, for TypeScript

/** Types of workers, which the types for pages lack. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface RequestEvent extends WorkerEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
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

/** Inserted by the build. */
declare const __MANIFEST__: { version: string; bundles: string[] };

const worker = self as unknown as Worker;
const { version, bundles } = __MANIFEST__;

/** The base URL of this server’s pages; other servers may share the host. */
const BASE = new URL('.', location.href);
const NAME = `icetable${BASE.pathname.slice(0, -1)}`;
const APP_PREFIX = `${NAME}-app-`;
const APP_CACHE = APP_PREFIX + version;
const READING_CACHE = `${NAME}-reading`;
const GAMES_PATH = 'api/games';

worker.addEventListener('install', (event) => event.waitUntil(cacheApp()));
worker.addEventListener('activate', (event) => event.waitUntil(takeOver()));
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(showPage(String(event.notification.data)));
});
worker.addEventListener('push', (event) => event.waitUntil(notify(event.data?.json())));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const [address] = request.url.split(/[?#]/, 1);
  if (request.method !== 'GET' || !address?.startsWith(BASE.href)) return;
  const path = address.slice(BASE.href.length);
  if (path.startsWith('assets/')) event.respondWith(serveBundle(request));
  else if (isReading(path)) event.respondWith(serveReading(request));
  else if (request.mode === 'navigate' && !path.startsWith('api/')) event.respondWith(servePage(request));
});

/** Whether a path is the list of games, or the rules, the lesson or the puzzles of one. */
function isReading(path: string): boolean {
  return path === GAMES_PATH || /^api\/(rules|lessons|puzzles)\/[^/]+$/.test(path);
}

async function cacheApp(): Promise<void> {
  const cache = await caches.open(APP_CACHE);
  await Promise.all(bundles.map(async (name) => cache.put(name, (await caches.match(name)) ?? (await fetchOk(name)))));
  const index = await fetchOk(new Request(BASE, { cache: 'no-cache' }));
  const named = (await index.clone().text()).match(/assets\/[^"]+/g) ?? [];
  if (!named.every((name) => bundles.includes(name))) throw new Error('the server was updated meanwhile');
  await cache.put(BASE, index);
  await (await caches.open(READING_CACHE)).add(GAMES_PATH);
}

async function takeOver(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(APP_PREFIX) && name !== APP_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** Shows a notification about a table in place of any earlier one, unless its page is visible. */
async function notify(message: unknown): Promise<void> {
  const { table, title, text } = message as Record<'table' | 'title' | 'text', string>;
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

async function serveBundle(request: Request): Promise<Response> {
  return (await cached(request)) ?? fetch(request);
}

async function servePage(request: Request): Promise<Response> {
  const response = await fetch(request).catch(() => null);
  // A proxy that can't reach the server answers with a 5xx status.
  if (response && response.status < 500) return response;
  return (await cached(BASE)) ?? response ?? Response.error();
}

async function serveReading(request: Request): Promise<Response> {
  const response = await fetch(request).catch(() => null);
  if (!response) return (await cached(request)) ?? Response.error();
  if (response.ok) await store(request, response.clone());
  return response;
}

/** The cached response; undefined if there is none or the cache fails. */
async function cached(request: Request | URL): Promise<Response | undefined> {
  return caches.match(request, { ignoreVary: true }).catch(() => undefined);
}

/** Caches a response if there is room. */
async function store(request: Request, response: Response): Promise<void> {
  try {
    await (await caches.open(READING_CACHE)).put(request, response);
  } catch {
    // the response is used without being cached
  }
}

/** Fetches an address; throws an Error for a failure status. */
async function fetchOk(address: string | Request): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} at ${response.url}`);
  return response;
}
