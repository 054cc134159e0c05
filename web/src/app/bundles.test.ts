import { beforeEach, expect, it, vi } from 'vitest';
import { load } from './bundles';
import { answers } from './http';

vi.mock('./http', () => ({ answers: vi.fn() }));

const reload = vi.fn();
const kept = new Map<string, string>();
const gone = (): Promise<never> => Promise.reject(new TypeError('no such file'));
let version = '/assets/index-1.js';

vi.stubGlobal('location', { reload });
vi.stubGlobal('document', { querySelector: () => ({ src: version }) });

beforeEach(() => {
  reload.mockClear();
  vi.mocked(answers).mockResolvedValue(true);
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

/** What becomes of loading a bundle: its value, the Error's text, or nothing where the page is loaded anew. */
function outcome(bundle: () => Promise<string>): Promise<string> {
  const settled = load(bundle).catch((error: unknown) => String(error));
  return Promise.race([settled, new Promise<string>((resolve) => setTimeout(() => resolve('…')))]);
}

it('gives what the bundle gives', async () => {
  expect(await outcome(() => Promise.resolve('board'))).toBe('board');
  expect(reload).not.toHaveBeenCalled();
});

it('loads the page anew once for each version of it, then says what is wrong', async () => {
  expect(await outcome(gone)).toBe('…');
  expect(await outcome(gone)).toBe('Error: This page could not be loaded completely.');
  expect(reload).toHaveBeenCalledTimes(1);
  version = '/assets/index-2.js';
  expect(await outcome(gone)).toBe('…');
  expect(reload).toHaveBeenCalledTimes(2);
});

it('never loads the page anew where that can’t be remembered', async () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new DOMException('denied');
    },
  });
  expect(await outcome(gone)).toContain('could not be loaded');
  expect(reload).not.toHaveBeenCalled();
});

it('waits for a server that is away, and never loads the page anew meanwhile', async () => {
  vi.useFakeTimers();
  vi.mocked(answers).mockResolvedValue(false);
  const bundle = vi.fn(gone);
  const loaded = load<string>(bundle);
  await vi.advanceTimersByTimeAsync(60_000);
  bundle.mockResolvedValue('board' as never);
  vi.mocked(answers).mockResolvedValue(true);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await loaded).toBe('board');
  expect(reload).not.toHaveBeenCalled();
  vi.useRealTimers();
});
