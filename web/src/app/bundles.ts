/** Parts of the app that are loaded when they are needed. */

const RELOADED = 'icetable.reloaded';

/** What a bundle gives. If it can't be had: the page is loaded anew, or else an Error that says so. */
export async function load<T>(bundle: () => Promise<T>): Promise<T> {
  try {
    return await bundle();
  } catch {
    // After an update of the server its bundles have other names; the page loaded anew knows them.
    if (!reloadOnce()) throw new Error('This page could not be loaded completely.');
    return new Promise(() => undefined);
  }
}

/** Loads the page anew, once for each version of it: what fails twice would fail for ever. */
function reloadOnce(): boolean {
  const version = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';
  try {
    if (!navigator.onLine || sessionStorage.getItem(RELOADED) === version) return false;
    sessionStorage.setItem(RELOADED, version);
  } catch {
    return false; // what can't be noted might be done again and again
  }
  location.reload();
  return true;
}
