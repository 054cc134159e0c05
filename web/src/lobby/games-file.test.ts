import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storage, SUMMARY } from '../app/fixtures';
import { storedSummary, storedTable, type StoredTable } from '../app/tables';
import { isRecord, addGames, merged, profileIn, read, write, type StoredGame } from './games-file';

const TABLE: StoredTable = { id: 'k7', game: 'g', title: 'G', names: ['Ann'], when: 5, codes: ['c0de'] };
const GAME: StoredGame = { table: TABLE, summary: SUMMARY };

beforeEach(() => void storage());

afterEach(() => {
  vi.unstubAllGlobals();
});

it('reads what it has written', () => {
  const games = [GAME, { table: { ...TABLE, id: 'k8', helped: true, invites: { 1: 'ab' } }, summary: null }];
  expect(read(write(games))).toEqual(games);
});

it('stores a profile with the games, which older files lack', () => {
  const profile = { name: 'Ann', puzzles: {}, learned: {} };
  expect(profileIn(write([GAME], profile))).toEqual(profile);
  expect(read(write([GAME], profile))).toEqual([GAME]);
  expect([write([GAME]), '', '{"profile": 7}'].map(profileIn)).toEqual([null, null, null]);
});

it('is not mistaken for the record of a game', () => {
  const records = [
    'icetable record 1\ngame squad\n',
    '\ufeff\nicetable record 1',
    'Hi!\n> icetable record 1\n> game squad',
  ];
  const ann = { ...GAME, table: { ...TABLE, names: ['icetable record'] } };
  expect(records.map(isRecord)).toEqual([true, true, true]);
  expect([write([GAME]), write([ann]), ''].map(isRecord)).toEqual([false, false, false]);
});

describe('a file is refused', () => {
  const file = (change: object): string => JSON.stringify({ ...(JSON.parse(write([GAME])) as object), ...change });
  const table = (change: object): string => file({ games: [GAME, { ...GAME, table: { ...TABLE, ...change } }] });
  const summary = (change: object): string => file({ games: [GAME, { ...GAME, summary: { ...SUMMARY, ...change } }] });
  const FORMAT_ERROR = 'This file is neither the record of a game nor a list of games from icetable.';
  const DAMAGED = 'Game 2 of this list is damaged. Nothing was added.';

  it.each([
    ['that is empty', '', FORMAT_ERROR],
    ['that is a picture', '\u0089PNG', FORMAT_ERROR],
    ['that contains nothing', 'null', FORMAT_ERROR],
    ['of another format', '{"format": "other"}', FORMAT_ERROR],
    ['without games', file({ games: undefined }), FORMAT_ERROR],
    ['with something else for games', file({ games: {} }), FORMAT_ERROR],
    ['that is far too long', write([GAME]) + ' '.repeat(6_000_000), FORMAT_ERROR],
    ['of a later version', file({ version: 2 }), /another version/],
    ['with an invalid game', file({ games: [GAME, 7] }), DAMAGED],
    ['with an id that is a path', table({ id: '../x' }), DAMAGED],
    ['with invalid codes', table({ codes: ['<b>'] }), DAMAGED],
    ['with invalid names', table({ names: [7] }), DAMAGED],
    ['with an invalid time', table({ when: 'yesterday' }), DAMAGED],
    ['with the result of another game', summary({ id: 'k8' }), DAMAGED],
    ['with invalid seats', summary({ seats: [null] }), DAMAGED],
    ['with invalid winners', summary({ winners: 'Ann' }), DAMAGED],
  ])('%s', (_, text, why) => {
    expect(() => read(text)).toThrow(why);
  });
});

it('adds new games, updates known ones, and reports it', () => {
  expect(addGames([GAME, { table: { ...TABLE, id: 'k8' }, summary: null }])).toBe('2 games added.');
  expect([storedTable('k7'), storedSummary('k7'), storedSummary('k8')]).toEqual([TABLE, SUMMARY, null]);
  expect(addGames([GAME])).toBe('There is nothing new in this list.');
  const over = { ...SUMMARY, over: true, winners: [0], to_act: [] };
  expect(
    addGames([
      { table: { ...TABLE, id: 'k9' }, summary: null },
      { table: TABLE, summary: over },
    ]),
  ).toBe('1 game added, 1 game updated.');
  expect(storedSummary('k7')).toEqual(over);
  expect(addGames([GAME])).toBe('There is nothing new in this list.');
});

it('prefers the newer version and keeps all seats', () => {
  const recent = { table: { ...TABLE, when: 9, names: ['Ben'], codes: ['ab'] }, summary: null };
  const helped = { table: { ...TABLE, helped: true }, summary: SUMMARY };
  for (const both of [merged(recent, helped), merged(helped, recent)]) {
    expect(both).toEqual({
      table: { ...TABLE, when: 9, names: ['Ben'], codes: ['c0de', 'ab'], helped: true },
      summary: SUMMARY,
    });
  }
  const later = { ...SUMMARY, when: 90 };
  expect(merged(GAME, { table: TABLE, summary: later }).summary).toBe(later);
  expect(
    merged({ table: TABLE, summary: { ...SUMMARY, over: true } }, { table: TABLE, summary: later }).summary,
  ).toEqual({ ...SUMMARY, over: true });
});
