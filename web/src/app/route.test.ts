import { expect, it, vi } from 'vitest';

vi.stubGlobal('location', { pathname: '/', hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { parse } = await import('./route.svelte');

it.each([
  ['/', '', { page: 'lobby' }],
  ['/table/k7m2', '', { page: 'table', id: 'k7m2' }],
  ['/rules/game', '', { page: 'rules', game: 'game', rule: null }],
  ['/rules/game/', '#IF-13', { page: 'rules', game: 'game', rule: 'IF-13' }],
  ['/table', '', { page: 'unknown', path: '/table' }],
  ['/table/a/b', '', { page: 'unknown', path: '/table/a/b' }],
  ['/table/%zz', '', { page: 'table', id: '%zz' }],
])('%s%s', (path, hash, route) => {
  expect(parse(path, hash)).toEqual(route);
});
