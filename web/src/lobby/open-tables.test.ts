import { describe, expect, it } from 'vitest';
import type { Listing, Seat } from '../wire';
import { updated } from './follow';
import { playedWords, waitedWords, waitingTables, waitingWords } from './open-tables';

const ANN: Seat = { seat: 0, kind: 'person', name: 'Ann', level: null, colour: 'red', mine: false, gone: false };
const FREE: Seat = { ...ANN, seat: 1, kind: 'open', name: '' };
const TABLE: Listing = {
  id: 'a',
  game: 'icefrogs',
  title: 'IceFrogs',
  created: 0,
  seats: [ANN, FREE],
  started: false,
  live: true,
  options: {},
  clock: null,
  pair: false,
  match: null,
  plays_like: null,
};
const LATER = { ...TABLE, id: 'b', created: 1 };

describe('an update of the list', () => {
  it('replaces the whole list', () => {
    expect(updated([TABLE], { type: 'listed', tables: [LATER], gone: [], whole: true })).toEqual([LATER]);
  });

  it('adds, changes and removes tables, the newest first', () => {
    const begun = { ...TABLE, started: true };
    expect(updated([TABLE], { type: 'listed', tables: [LATER, begun], gone: [], whole: false })).toEqual([
      LATER,
      begun,
    ]);
    expect(updated([LATER, TABLE], { type: 'listed', tables: [], gone: ['b'], whole: false })).toEqual([TABLE]);
  });
});

describe('a table', () => {
  it('waits for players until its game begins', () => {
    expect(waitingTables([TABLE, { ...LATER, started: true }])).toEqual([TABLE]);
  });

  it('shows its terms', () => {
    expect(waitingWords(TABLE, undefined, 30_000)).toBe('just opened');
    const special: Listing = {
      ...TABLE,
      seats: [ANN, FREE, { ...FREE, seat: 2 }],
      clock: { per: 'game', seconds: 300, increment: 5 },
      match: { until: 'wins', number: 2 },
      options: { board: 'hexagon' },
    };
    expect(waitingWords(special, undefined, 120_000)).toBe(
      '2 seats of 3 free · 5 min + 5 s per move · first to 2 wins · Board: hexagon · waiting for 2 minutes',
    );
  });

  it('shows how long it has been waiting', () => {
    expect(waitedWords(59_999)).toBe('just opened');
    expect(waitedWords(60_000)).toBe('waiting for 1 minute');
    expect(waitedWords(7_200_000)).toBe('waiting for 2 hours');
  });

  it('shows its players', () => {
    expect(playedWords({ ...TABLE, started: true })).toBe('Ann, in progress');
    expect(playedWords({ ...TABLE, started: true, live: false })).toBe('Ann, shown when over');
  });
});
