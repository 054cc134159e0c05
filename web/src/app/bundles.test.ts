import { beforeEach, expect, it, vi } from 'vitest';
import { load, preload } from './bundles';
import { isServerUp } from './http';

vi.mock('./http', () => ({ isServerUp: vi.fn() }));

const reload = vi.fn();
const stored = new Map<string, string>();
const missing = (): Promise<never> => Promise.reject(new TypeError('no such file'));
let version = '/assets/index-1.js';

vi.stubGlobal('location', { reload });
vi.stubGlobal('document', { querySelector: () => ({ src: version }) });

beforeEach(() => {
  reload.mockClear();
  vi.mocked(isServerUp).mockResolvedValue(true);
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

/** The outcome of loading a bundle: its value, the Error's text, or "…" if the page is reloaded. */
function outcome(bundle: () => Promise<string>): Promise<string> {
  const settled = load(bundle).catch((error: unknown) => String(error));
  return Promise.race([settled, new Promise<string>((resolve) => setTimeout(() => resolve('…')))]);
}

it('returns what the bundle returns', async () => {
  expect(await outcome(() => Promise.resolve('board'))).toBe('board');
  expect(reload).not.toHaveBeenCalled();
});

it('reloads the page once per version, then throws', async () => {
  expect(await outcome(missing)).toBe('…');
  expect(await outcome(missing)).toBe('Error: This page could not be loaded completely.');
  expect(reload).toHaveBeenCalledTimes(1);
  version = '/assets/index-2.js';
  expect(await outcome(missing)).toBe('…');
  expect(reload).toHaveBeenCalledTimes(2);
});

it('never reloads the page if that can’t be remembered', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new DOMException('denied');
    },
  });
  expect(await outcome(missing)).toContain('could not be loaded');
  expect(reload).not.toHaveBeenCalled();
});

it('waits for an unreachable server without reloading the page', async () => {
  vi.useFakeTimers();
  vi.mocked(isServerUp).mockResolvedValue(false);
  const bundle = vi.fn(missing);
  const loaded = load<string>(bundle);
  await vi.advanceTimersByTimeAsync(60_000);
  bundle.mockResolvedValue('board' as never);
  vi.mocked(isServerUp).mockResolvedValue(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await loaded).toBe('board');
  expect(reload).not.toHaveBeenCalled();
  vi.useRealTimers();
});

it('fetches a bundle early once the browser is idle, and misses nothing if there is none', async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal('window', { requestIdleCallback: (task: () => void) => idle.push(task) });
  const bundle = vi.fn(missing);
  preload(bundle);
  expect(bundle).not.toHaveBeenCalled();
  idle.forEach((task) => task());
  expect(bundle).toHaveBeenCalledOnce();
  await Promise.resolve();
  expect(reload).not.toHaveBeenCalled();
});
