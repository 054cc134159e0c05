import { beforeEach, expect, it, vi } from 'vitest';

const ORIGIN = 'http://127.0.0.1:8421';
const BUNDLES = ['assets/index-2.js', 'assets/board-1.js'];

interface FakeEvent {
  data?: { json(): unknown };
  request?: { method: string; mode: string; url: string };
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

/** The content of each cache and of the server; null if the server is down. */
let cached: Map<string, Map<string, string>>;
let server: Record<string, string> | null;
let requested: string[];
let tabs: { url: string; visibilityState: string }[] = [];
let shown: [string, NotificationOptions][] = [];
const listeners = new Map<string, (event: FakeEvent) => void>();

function pathOf(what: string | URL | { url: string | URL }): string {
  return new URL(typeof what === 'object' && 'url' in what ? what.url : what, ORIGIN).pathname;
}

function fetched(what: string | URL | { url: string | URL }): Promise<Response> {
  const path = pathOf(what);
  requested.push(path);
  if (!server) return Promise.reject(new TypeError('no server'));
  const text = server[path];
  return Promise.resolve(text === undefined ? new Response('', { status: 404 }) : new Response(text));
}

function cache(name: string) {
  const content = cached.get(name) ?? new Map<string, string>();
  cached.set(name, content);
  return {
    put: async (what: string | URL | Request, answer: Response) => content.set(pathOf(what), await answer.text()),
    add: async (what: string) => content.set(pathOf(what), await (await fetched(what)).text()),
    match: (what: string | Request) => Promise.resolve(answer(content.get(pathOf(what)))),
  };
}

function answer(text: string | undefined): Response | undefined {
  return text === undefined ? undefined : new Response(text);
}

vi.stubGlobal('__MANIFEST__', { version: '2', bundles: BUNDLES });
vi.stubGlobal('location', { href: `${ORIGIN}/service-worker.js` });
vi.stubGlobal('fetch', fetched);
vi.stubGlobal(
  'Request',
  class {
    constructor(readonly url: string) {}
  },
);
vi.stubGlobal('caches', {
  open: (name: string) => Promise.resolve(cache(name)),
  keys: () => Promise.resolve([...cached.keys()]),
  delete: (name: string) => Promise.resolve(cached.delete(name)),
  match: (what: string | Request) =>
    Promise.resolve(answer([...cached.values()].map((content) => content.get(pathOf(what))).find((text) => text))),
});
vi.stubGlobal('self', {
  addEventListener: (kind: string, listener: (event: FakeEvent) => void) => listeners.set(kind, listener),
  clients: { claim: () => Promise.resolve(), matchAll: () => Promise.resolve(tabs) },
  registration: {
    showNotification: (title: string, options: NotificationOptions) => {
      shown.push([title, options]);
      return Promise.resolve();
    },
  },
});
await import('./service-worker');

beforeEach(() => {
  cached = new Map();
  requested = [];
  server = {
    '/': '<script src="/assets/index-2.js">',
    '/assets/index-2.js': 'index',
    '/assets/board-1.js': 'board',
    '/api/games': '[]',
    '/api/rules/squad': 'the rules',
    '/table/k7m2': 'a page',
  };
});

/** Sends the worker an event and awaits its work. */
async function send(kind: string): Promise<void> {
  let work: Promise<unknown> = Promise.resolve();
  listeners.get(kind)?.({
    waitUntil: (promise) => {
      work = promise;
    },
    respondWith: () => undefined,
  });
  await work;
}

/** The worker's response to a request: a text, 'error', or null if it leaves the request alone. */
async function ask(path: string, mode = 'cors', method = 'GET', origin = ORIGIN): Promise<string | null> {
  let given: Promise<Response> | null = null;
  listeners.get('fetch')?.({
    request: { method, mode, url: origin + path },
    waitUntil: () => undefined,
    respondWith: (promise) => {
      given = promise;
    },
  });
  const response = await (given as Promise<Response> | null);
  if (!response) return null;
  return response.type === 'error' ? 'error' : response.text();
}

it('opens every page without the server once it is installed', async () => {
  await send('install');
  await send('activate');
  server = null;
  expect(await ask('/table/k7m2', 'navigate')).toBe('<script src="/assets/index-2.js">');
  expect(await ask('/assets/board-1.js')).toBe('board');
  expect(await ask('/api/games')).toBe('[]');
  expect(await ask('/api/rules/squad')).toBe('error');
});

it('asks the server for pages and texts, and caches the latest texts', async () => {
  expect(await ask('/table/k7m2', 'navigate')).toBe('a page');
  expect(await ask('/api/rules/squad')).toBe('the rules');
  server = { '/api/rules/squad': 'newer rules' };
  expect(await ask('/api/rules/squad')).toBe('newer rules');
  server = null;
  expect(await ask('/api/rules/squad')).toBe('newer rules');
  expect(await ask('/table/k7m2', 'navigate')).toBe('error');
});

it('opens a page if a proxy can’t reach the server, and shows texts if there is no room', async () => {
  await send('install');
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('from the proxy', { status: 502 })));
  expect(await ask('/table/k7m2', 'navigate')).toBe('<script src="/assets/index-2.js">');
  cached.clear();
  expect(await ask('/table/k7m2', 'navigate')).toBe('from the proxy');
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(caches, 'open').mockRejectedValueOnce(new DOMException('full'));
  expect(await ask('/api/rules/squad')).toBe('the rules');
});

it('caches no failures', async () => {
  await ask('/api/rules/chess');
  server = null;
  expect(await ask('/api/rules/chess')).toBe('error');
});

it.each([
  ['/api/tables', 'cors', 'GET', ORIGIN],
  ['/api/tables/k7m2/record', 'navigate', 'GET', ORIGIN],
  ['/api/lessons/squad/friends', 'cors', 'POST', ORIGIN],
  ['/api/lessons/squad/friends/k7m2', 'cors', 'GET', ORIGIN],
  ['/api/puzzles/squad/1a2b', 'cors', 'POST', ORIGIN],
  ['/api/puzzles/squad/1a2b/k7m2', 'cors', 'GET', ORIGIN],
  ['/ws', 'websocket', 'GET', ORIGIN],
  ['/assets/board-1.js', 'cors', 'GET', 'https://elsewhere.example'],
])('leaves %s alone', async (path, mode, method, origin) => {
  expect(await ask(path, mode, method, origin)).toBeNull();
});

it('fetches only the bundles that have changed, and deletes the previous version', async () => {
  cached.set('icetable-app-1', new Map([['/assets/board-1.js', 'board']]));
  cached.set('icetable-reading', new Map([['/api/rules/squad', 'the rules']]));
  cached.set('another-app', new Map());
  cached.set('icetable/pyramids-app-1', new Map());
  await send('install');
  expect(requested.sort()).toEqual(['/', '/api/games', '/assets/index-2.js']);
  await send('activate');
  expect([...cached.keys()].sort()).toEqual([
    'another-app',
    'icetable-app-2',
    'icetable-reading',
    'icetable/pyramids-app-1',
  ]);
});

it('is not installed if the server was updated meanwhile or lacks a bundle', async () => {
  server = { ...server, '/': '<script src="/assets/index-3.js">' };
  await expect(send('install')).rejects.toThrow('updated');
  cached.clear();
  delete server['/assets/board-1.js'];
  await expect(send('install')).rejects.toThrow('404');
});

it('shows a notification, unless its table is visible', async () => {
  const message = { table: 'k7m2', title: 'IceFrogs', text: 'Your turn' };
  const push = async () => {
    let work: Promise<unknown> = Promise.resolve();
    const waitUntil = (promise: Promise<unknown>) => void (work = promise);
    listeners.get('push')?.({ data: { json: () => message }, waitUntil, respondWith: () => undefined });
    await work;
  };
  shown = [];
  await push();
  expect(shown).toEqual([['Your turn – IceFrogs', { tag: 'k7m2', data: `${ORIGIN}/table/k7m2` }]]);
  tabs = [{ url: `${ORIGIN}/table/k7m2`, visibilityState: 'hidden' }];
  await push();
  expect(shown.length).toBe(2);
  tabs = [{ url: `${ORIGIN}/table/k7m2`, visibilityState: 'visible' }];
  await push();
  expect(shown.length).toBe(2);
});
