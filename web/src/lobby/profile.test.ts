import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playerName } from '../app/prefs.svelte';
import { doneSteps, markDone } from '../app/learned';
import { read, write } from '../app/storage';
import { recordTry, tried } from '../app/tried';
import { isProfile, keepProfile, ownProfile } from './profile';

/** A storage whose keys can be listed. */
function storage(): void {
  const kept: Record<string, string> = {};
  Object.defineProperties(kept, {
    getItem: { value: (key: string) => kept[key] ?? null },
    setItem: { value: (key: string, text: string) => (kept[key] = text) },
  });
  vi.stubGlobal('localStorage', kept);
}

beforeEach(() => {
  storage();
  playerName.value = '';
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it('a profile moves to another browser, where nothing is lost', () => {
  playerName.value = 'Ann';
  recordTry('squad', 'a', true);
  recordTry('squad', 'b', true);
  markDone('squad', 'first');
  write('tournament.c7p', { entrant: 1, code: 'c0de' });
  write('best.squad', { solo: { table: 't', score: 9, before: null } });
  const given = JSON.parse(JSON.stringify(ownProfile())) as unknown;
  if (!isProfile(given)) throw new Error('it is one');
  storage();
  playerName.value = '';
  recordTry('squad', 'c', true);
  recordTry('squad', 'b', false);
  markDone('squad', 'second');
  write('best.squad', { solo: { table: 'u', score: 7, before: null } });
  expect(keepProfile({ ...given, others: { ...given.others, 'table.x': 'not of these' } })).toBe(true);
  expect(read('tournament.c7p')).toEqual({ entrant: 1, code: 'c0de' });
  expect(read('best.squad')).toEqual({ solo: { table: 'u', score: 7, before: null } });
  expect(read('table.x')).toBeUndefined();
  expect(playerName.value).toBe('Ann');
  expect(tried('squad').map(({ name, result }) => [name, result])).toEqual([
    ['c', 'solved'],
    ['b', 'late'],
    ['a', 'solved'],
  ]);
  expect(doneSteps('squad').sort()).toEqual(['first', 'second']);
  expect(keepProfile(given)).toBe(false);
});

it('the name that is here stays', () => {
  playerName.value = 'Ben';
  keepProfile({ name: 'Ann', puzzles: {}, learned: {} });
  expect(playerName.value).toBe('Ben');
});

it.each([
  [undefined],
  [7],
  [{ name: 7, puzzles: {}, learned: {} }],
  [{ name: '', puzzles: [], learned: {} }],
  [{ name: '', puzzles: {}, learned: {}, others: [] }],
  [{ name: '', puzzles: { '../x': [] }, learned: {} }],
  [{ name: '', puzzles: { squad: [7] }, learned: {} }],
  [{ name: '', puzzles: {}, learned: { squad: [null] } }],
])('%j is no profile', (value) => {
  expect(isProfile(value)).toBe(false);
});
