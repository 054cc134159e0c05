/** Parts of the app that are loaded when they are needed. */

import { answers } from './http';

const RELOADED = 'icetable.reloaded';

/** The time between two tries while the server is away, in milliseconds. */
const TRY_AGAIN = 2000;

/**
 * What a bundle gives. While the server is away it is waited for: a page loaded anew would be lost. If the server has no
 * such bundle, the page is loaded anew, or else an Error says so.
 */
export async function load<T>(bundle: () => Promise<T>): Promise<T> {
  try {
    return await bundle();
  } catch {
    if (!(await answers())) {
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN));
      return load(bundle);
    }
    // After an update of the server its bundles have other names; the page loaded anew knows them.
    if (!reloadOnce()) throw new Error('This page could not be loaded completely.');
    return new Promise(() => undefined);
  }
}

/** Loads the page anew, once for each version of it: what fails twice would fail for ever. */
function reloadOnce(): boolean {
  const version = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
  try {
    if (sessionStorage.getItem(RELOADED) === version) return false;
    sessionStorage.setItem(RELOADED, version);
  } catch {
    return false; // what can't be noted might be done again and again
  }
  location.reload();
  return true;
}
