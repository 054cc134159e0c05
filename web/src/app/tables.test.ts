import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { codesIn, forgetTable, newCode, storedTable, storedTables, storeTable, type StoredTable } from './tables';

const TABLE: StoredTable = { id: 'k7', game: 'g', title: 'G', names: ['Ann'], when: 1, codes: ['secret'] };

beforeEach(() => {
  vi.stubGlobal('localStorage', memory());
});

afterEach(() => {
  forgetTable('k7');
  forgetTable('k8');
  vi.unstubAllGlobals();
});

/** Like the browser's: entries are properties of the object, methods are not. */
function memory(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

it('stores tables with their codes, the newest visit first', () => {
  storeTable(TABLE);
  storeTable({ ...TABLE, id: 'k8', when: 2 });
  expect(storedTable('k7')).toEqual(TABLE);
  expect(storedTables().map((table) => table.id)).toEqual(['k8', 'k7']);
});

it('stores the origin of an analysis board, if it is valid', () => {
  storeTable({ ...TABLE, from: { table: 'k8', seq: 3 } });
  expect(storedTable('k7')?.from).toEqual({ table: 'k8', seq: 3 });
  storeTable({ ...TABLE, from: { table: '../x', seq: 3 } });
  expect(storedTable('k7')).toBeNull();
});

it('forgets', () => {
  storeTable(TABLE);
  forgetTable('k7');
  expect(storedTable('k7')).toBeNull();
});

it('skips what it cannot read', () => {
  localStorage.setItem('icetable.table.k7', '{"id": "k7"');
  localStorage.setItem('icetable.table.k8', '{"id": "k8"}');
  localStorage.setItem('other', 'x');
  expect(storedTables()).toEqual([]);
});

it('remembers until the page is closed if storage is blocked', () => {
  vi.stubGlobal('localStorage', undefined);
  storeTable(TABLE);
  expect(storedTable('k7')).toEqual(TABLE);
  expect(storedTables()).toEqual([TABLE]);
});

it('draws codes of 128 bits', () => {
  const codes = Array.from({ length: 50 }, newCode);
  expect(codes.every((code) => /^[0-9a-f]{32}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBe(50);
});

it('finds the codes of a seat link, and nothing else, behind the #', () => {
  expect(codesIn('#seat=ab12')).toEqual(['ab12']);
  expect(codesIn('#seat=ab12,cd34')).toEqual(['ab12', 'cd34']);
  for (const hash of ['', '#IF-9', '#seat=', '#seat=x', '#seat=ab%20']) expect(codesIn(hash)).toEqual([]);
});
