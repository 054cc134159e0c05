import { beforeEach, expect, it, vi } from 'vitest';
import { storage } from './fixtures';
import { storedTable } from './tables';
import type { Tournament } from '../wire';
import { pairingOf, storedTournament, storePairing, storeTournament } from './tournaments';

const TABLE = { table: 't1', seats: [1, 0], wins: null, scores: [], forfeit: null };
const CUP = {
  game: 'icefrogs',
  title: 'IceFrogs',
  entrants: ['Ann', 'Bob', 'Cem'].map((name) => ({ name, level: null, gone: false })),
  rounds: [{ tables: [{ ...TABLE, table: 't0', wins: [1, 0] }, TABLE], out: [2] }],
} as unknown as Tournament;

beforeEach(() => {
  vi.useFakeTimers();
  storage();
});

it('keeps the organizer’s code and the place of a player together, the newest visit first', () => {
  storeTournament('a', { owner: 'o1', name: 'Cup' });
  vi.advanceTimersByTime(1000);
  storeTournament('b', { entrant: 2, code: 'c2', over: true });
  vi.advanceTimersByTime(1000);
  storeTournament('a', { entrant: 0, code: 'c0' });
  vi.advanceTimersByTime(1000);
  storeTournament('c', { owner: 'o3' });
  expect(storedTournament('a')).toMatchObject({ id: 'a', name: 'Cup', owner: 'o1', entrant: 0, code: 'c0' });
  expect(storedTournament('d')).toBeNull();
});

it('reads what earlier versions have stored', () => {
  localStorage.setItem('icetable.tournament.old', '{"entrant":1,"code":"c1"}');
  expect(storedTournament('old')).toEqual({
    id: 'old',
    name: 'Tournament',
    title: '',
    when: 0,
    entrant: 1,
    code: 'c1',
  });
});

it('lists a pairing among the games, once', () => {
  expect([0, 1, 2, undefined].map((entrant) => pairingOf(CUP, entrant)?.table)).toEqual([
    't1',
    't1',
    undefined,
    undefined,
  ]);
  expect(storePairing(CUP, TABLE, 'c0')).toBe(true);
  expect(storedTable('t1')).toMatchObject({ game: 'icefrogs', names: ['Bob', 'Ann'], codes: ['c0'] });
  expect(storePairing(CUP, TABLE, 'c0')).toBe(false);
});
