import { expect, it, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/', search: '', hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { parse } = await import('./route.svelte');

it.each([
  ['/', '', { page: 'lobby', game: null }],
  ['/table/k7m2', '', { page: 'table', id: 'k7m2' }],
  ['/table/k7m2/mistakes', '', { page: 'mistakes', id: 'k7m2', move: null }],
  ['/table/k7m2/mistakes/more', '', { page: 'unknown', path: '/table/k7m2/mistakes/more' }],
  ['/rules/game', '', { page: 'rules', game: 'game', rule: null }],
  ['/rules/game/', '#IF-13', { page: 'rules', game: 'game', rule: 'IF-13' }],
  ['/learn/game', '', { page: 'learn', game: 'game', table: null }],
  ['/puzzles', '', { page: 'puzzles', game: null, name: null, level: null, theme: null }],
  ['/puzzles/game', '', { page: 'puzzles', game: 'game', name: null, level: null, theme: null }],
  ['/puzzles/game/1a2b', '', { page: 'puzzles', game: 'game', name: '1a2b', level: null, theme: null }],
  ['/puzzles/game/1a2b/more', '', { page: 'unknown', path: '/puzzles/game/1a2b/more' }],
  ['/try/k7m2', '', { page: 'linked', to: 'try', id: 'k7m2', code: '', game: null }],
  ['/playtest/k7m2', '#0a1b', { page: 'linked', to: 'playtest', id: 'k7m2', code: '0a1b', game: null }],
  ['/tournament/k7m2', '#0a1b', { page: 'linked', to: 'tournament', id: 'k7m2', code: '0a1b', game: null }],
  ['/table', '', { page: 'unknown', path: '/table' }],
  ['/table/a/b', '', { page: 'unknown', path: '/table/a/b' }],
  ['/table/%zz', '', { page: 'table', id: '%zz' }],
])('%s%s', (path, hash, route) => {
  expect(parse({ pathname: path, search: '', hash })).toEqual(route);
});

it('an address outside the base is not a page', async () => {
  vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:8421/pyramids/' });
  vi.resetModules();
  const below = await import('./route.svelte');
  const at = (pathname: string) => below.parse({ pathname, search: '', hash: '' });
  expect(at('/pyramids/table/k7m2')).toEqual({ page: 'table', id: 'k7m2' });
  expect(at('/pyramids/')).toEqual({ page: 'lobby', game: null });
  expect(at('/table/k7m2')).toEqual({ page: 'unknown', path: '/table/k7m2' });
});

it('begins with a certain mistake', () => {
  const address = { pathname: '/table/k7m2/mistakes', search: '?move=12', hash: '' };
  expect(parse(address)).toEqual({ page: 'mistakes', id: 'k7m2', move: '12' });
});

it('puzzles may be chosen by level and theme', () => {
  expect(parse({ pathname: '/puzzles/game', search: '?theme=wins&level=casual', hash: '' })).toEqual({
    page: 'puzzles',
    game: 'game',
    name: null,
    level: 'casual',
    theme: 'wins',
  });
});

it('a lesson may lead to a table', () => {
  const address = { pathname: '/learn/game', search: '?table=k7m2', hash: '' };
  expect(parse(address)).toEqual({ page: 'learn', game: 'game', table: 'k7m2' });
});

it('the lobby address may name a game', () => {
  expect(parse({ pathname: '/', search: '?game=some', hash: '' })).toEqual({ page: 'lobby', game: 'some' });
});
