/** Lazy loading of parts of the app. */

import { isServerUp } from './http';

const RELOADED_KEY = 'icetable.reloaded';

const RETRY_MS = 2000;

/**
 * Loads a bundle. Retries while the server is unreachable, since a reload would lose the page. If the server has no
 * such bundle, reloads the page or, the second time, throws an Error.
 */
export async function load<T>(bundle: () => Promise<T>): Promise<T> {
  try {
    return await bundle();
  } catch {
    if (!(await isServerUp())) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return load(bundle);
    }
    // A server update changes the names of bundles; a reloaded page knows the new ones.
    if (!reloadOnce()) throw new Error('This page could not be loaded completely.');
    return new Promise(() => undefined);
  }
}

/** Fetches a bundle that may be needed later, once the browser has nothing else to do. */
export function preload(bundle: () => Promise<unknown>): void {
  const task = (): void => void bundle().catch(() => undefined);
  if ('requestIdleCallback' in window) window.requestIdleCallback(task);
  else setTimeout(task, RETRY_MS); // Safari
}

/** Reloads the page once per version: a second failure would repeat forever. */
function reloadOnce(): boolean {
  const version = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === version) return false;
    sessionStorage.setItem(RELOADED_KEY, version);
  } catch {
    return false; // without a record the page might reload forever
  }
  location.reload();
  return true;
}
