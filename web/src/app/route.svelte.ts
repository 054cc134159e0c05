/** Client-side routing by the address bar. */

import { BASE } from './base';

export type Route =
  | { page: 'lobby'; game: string | null }
  | { page: 'table'; id: string }
  | { page: 'mistakes'; id: string; move: string | null }
  | { page: 'rules'; game: string; rule: string | null }
  | { page: 'learn'; game: string; table: string | null }
  | { page: 'puzzles'; game: string | null; name: string | null; level: string | null; theme: string | null }
  | { page: 'linked'; to: string; id: string; code: string; game: string | null }
  | { page: 'unknown'; path: string };

type Address = Pick<Location, 'pathname' | 'search' | 'hash'>;

const TOP = new URL(BASE).pathname;

export function parse({ pathname: path, search, hash }: Address): Route {
  if (!path.startsWith(TOP)) return { page: 'unknown', path };
  const [first = '', second = '', ...rest] = path
    .slice(TOP.length)
    .split('/')
    .filter((part) => part !== '');
  if (first === 'puzzles' && rest.length < 2) {
    const query = new URLSearchParams(search);
    const [game, name] = [decode(second) || null, decode(rest[0] ?? '') || null];
    return { page: 'puzzles', game, name, level: query.get('level'), theme: query.get('theme') };
  }
  if (first === 'table' && rest.length === 1 && rest[0] === 'mistakes') {
    return { page: 'mistakes', id: decode(second), move: new URLSearchParams(search).get('move') };
  }
  if (rest.length === 0) {
    if (first === '') return { page: 'lobby', game: new URLSearchParams(search).get('game') };
    if (first === 'table' && second !== '') return { page: 'table', id: decode(second) };
    if (/^(try|playtest|tournament|move)$/.test(first)) {
      const game = new URLSearchParams(search).get('game');
      return { page: 'linked', to: first, id: decode(second), code: decode(hash.slice(1)), game };
    }
    if (first === 'learn' && second !== '') {
      return { page: 'learn', game: decode(second), table: new URLSearchParams(search).get('table') };
    }
    if (first === 'rules' && second !== '') {
      return { page: 'rules', game: decode(second), rule: decode(hash.slice(1)) || null };
    }
  }
  return { page: 'unknown', path };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class Router {
  #route = $state.raw<Route>(parse(location));
  /** Whether the current page has not been scrolled to its top and focused yet. */
  #isNew = false;

  constructor() {
    addEventListener('popstate', () => this.#follow());
  }

  get current(): Route {
    return this.#route;
  }

  go(address: string): void {
    history.pushState(null, '', address);
    this.#follow();
    this.#isNew = true;
  }

  /** Scrolls a newly opened page to its top and focuses its content. */
  arrive(): void {
    const main = document.querySelector('main');
    if (!this.#isNew || !main) return;
    this.#isNew = false;
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }

  /** Handles plain clicks on links to our own pages. */
  click(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    const isAnchor = link.pathname === location.pathname && link.hash !== '';
    if (isAnchor || parse(link).page === 'unknown') return;
    event.preventDefault();
    this.go(link.href);
  }

  #follow(): void {
    this.#route = parse(location);
  }
}

export const router = new Router();
