import { describe, expect, it } from 'vitest';
import type { Tournament, TournamentRound, TournamentTable } from '../wire';
import {
  aboutWords,
  lineWords,
  pointsWords,
  resultWords,
  tieBreakHeads,
  tieBreakWords,
  winnersOf,
} from './tournament-words';

const CUP: Tournament = {
  name: 'Cup',
  game: 'icefrogs',
  title: 'IceFrogs',
  options: {},
  clock: { per: 'game', seconds: 300, increment: 5 },
  kind: 'swiss',
  players: 2,
  length: 3,
  state: 'over',
  entrants: ['Ann', 'Bob', 'Cem'].map((name) => ({ name, level: null, gone: false })),
  rounds: [],
  standings: [
    { place: 1, entrant: 2, points: 2, played: 3, breaks: [4, 2, 0, 0] },
    { place: 1, entrant: 0, points: 2, played: 3, breaks: [4, 2, 0, 0] },
    { place: 3, entrant: 1, points: 1, played: 3, breaks: [4, 0, 0, 0] },
  ],
};
const TABLE: TournamentTable = { table: 'a', seats: [1, 0], wins: [0, 1], scores: [], forfeit: null };

describe('a tournament in words', () => {
  it('describes the format', () => {
    expect(aboutWords(CUP)).toBe('IceFrogs · Swiss, 3 rounds · 5 min + 5 s per move');
    expect(aboutWords({ ...CUP, kind: 'round-robin', state: 'open', clock: null })).toBe('IceFrogs · Round robin');
  });

  it('writes halves as fractions', () => {
    expect([0, 0.5, 2, 2.5, 4 / 3].map(pointsWords)).toEqual(['0', '½', '2', '2½', '1.33']);
  });

  it('omits tie-breaks that are all zero', () => {
    expect(tieBreakHeads(CUP).map(({ head }) => head)).toEqual(['Buchholz', 'S-B']);
    expect(tieBreakWords(CUP)).toBe(
      'Ties are broken by the points of opponents (Buchholz), then by the points of beaten opponents (S-B, Sonneborn-Berger).',
    );
    const even = CUP.standings.map((line) => ({ ...line, breaks: [0, 0, 0, 0] }));
    expect(tieBreakWords({ ...CUP, standings: even })).toBe('');
  });

  it('says in one line what becomes of somebody', () => {
    const round: TournamentRound = { tables: [{ ...TABLE, wins: null }], out: [2] };
    const running: Tournament = { ...CUP, state: 'running', rounds: [round] };
    expect([0, 2, undefined].map((entrant) => lineWords(running, entrant, false))).toEqual([
      'round 1 of 3 · your game',
      'round 1 of 3 · you have a bye',
      'round 1 of 3',
    ]);
    const open: Tournament = { ...CUP, state: 'open', standings: [] };
    expect([true, false].map((isOwner) => lineWords(open, undefined, isOwner))).toEqual([
      '3 players so far · starts when you start it',
      '3 players so far',
    ]);
    expect([1, undefined].map((entrant) => lineWords(CUP, entrant, false))).toEqual([
      'over: you came 3rd',
      'won by Cem and Ann',
    ]);
  });

  it('describes the result of a game', () => {
    const names = ['Ann', 'Bob'];
    expect(resultWords(TABLE, names)).toBe('won by Ann');
    expect(resultWords({ ...TABLE, wins: [0.5, 0.5] }, names)).toBe('a draw');
    expect(resultWords({ ...TABLE, forfeit: 1 }, names)).toBe('won by Ann: Bob did not play');
    expect(resultWords({ ...TABLE, wins: null }, names)).toBe('');
  });

  it('names all who share first place', () => {
    expect(winnersOf(CUP)).toEqual(['Cem', 'Ann']);
  });
});
