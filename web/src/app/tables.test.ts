import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { forgetTable, keptTable, keptTables, keepTable, type KeptTable } from './tables';

const TABLE: KeptTable = { id: 'k7', game: 'g', title: 'G', names: ['Ann'], when: 1, codes: ['secret'] };

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

it('keeps tables with their codes, the newest visit first', () => {
  keepTable(TABLE);
  keepTable({ ...TABLE, id: 'k8', when: 2 });
  expect(keptTable('k7')).toEqual(TABLE);
  expect(keptTables().map((table) => table.id)).toEqual(['k8', 'k7']);
});

it('forgets', () => {
  keepTable(TABLE);
  forgetTable('k7');
  expect(keptTable('k7')).toBeNull();
});

it('passes over what it cannot read', () => {
  localStorage.setItem('icetable.table.k7', '{"id": "k7"');
  localStorage.setItem('icetable.table.k8', '{"id": "k8"}');
  localStorage.setItem('other', 'x');
  expect(keptTables()).toEqual([]);
});

it('remembers until the page is left where storage is blocked', () => {
  vi.stubGlobal('localStorage', undefined);
  keepTable(TABLE);
  expect(keptTable('k7')).toEqual(TABLE);
  expect(keptTables()).toEqual([TABLE]);
});
