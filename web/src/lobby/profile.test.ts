import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playerName } from '../app/prefs.svelte';
import { doneSteps, markDone } from '../app/learned';
import { read, write } from '../app/storage';
import { recordTry, tried } from '../app/tried';
import { isProfile, mergeProfile, ownProfile } from './profile';

/** Unlike the fixture, a storage with keys that can be listed. */
function storage(): void {
  const items: Record<string, string> = {};
  Object.defineProperties(items, {
    getItem: { value: (key: string) => items[key] ?? null },
    setItem: { value: (key: string, text: string) => (items[key] = text) },
  });
  vi.stubGlobal('localStorage', items);
}

beforeEach(() => {
  storage();
  playerName.value = '';
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it('merges a profile into that of another browser', () => {
  playerName.value = 'Ann';
  recordTry('squad', 'a', true);
  recordTry('squad', 'b', true);
  markDone('squad', 'first');
  write('tournament.c7p', { entrant: 1, code: 'c0de' });
  write('best.squad', { solo: { table: 't', score: 9, before: null } });
  const profile = JSON.parse(JSON.stringify(ownProfile())) as unknown;
  if (!isProfile(profile)) throw new Error('not a profile');
  storage();
  playerName.value = '';
  recordTry('squad', 'c', true);
  recordTry('squad', 'b', false);
  markDone('squad', 'second');
  write('best.squad', { solo: { table: 'u', score: 7, before: null } });
  expect(mergeProfile({ ...profile, others: { ...profile.others, 'table.x': 'not part of it' } })).toBe(true);
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
  expect(mergeProfile(profile)).toBe(false);
});

it('keeps an existing name', () => {
  playerName.value = 'Ben';
  mergeProfile({ name: 'Ann', puzzles: {}, learned: {} });
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
