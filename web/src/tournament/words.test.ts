import { describe, expect, it } from 'vitest';
import type { Tournament, TournamentTable } from '../wire';
import { aboutWords, tieBreakHeads, pointsWords, resultWords, winnersOf } from './words';

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
    expect(aboutWords({ ...CUP, kind: 'round-robin', state: 'open', clock: null })).toBe(
      'IceFrogs · Everybody meets everybody',
    );
  });

  it('writes halves as fractions', () => {
    expect([0, 0.5, 2, 2.5, 4 / 3].map(pointsWords)).toEqual(['0', '½', '2', '2½', '1.33']);
  });

  it('omits tie-breaks that are all zero', () => {
    expect(tieBreakHeads(CUP).map(({ head }) => head)).toEqual(['Buchholz', 'S-B']);
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
