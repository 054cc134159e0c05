/** A tournament in words. */

import { clockWords } from '../app/clocks';
import { list } from '../app/words';
import type { Tournament, TournamentKind, TournamentTable } from '../wire';

export const KINDS: Record<TournamentKind, { label: string; about: string }> = {
  'round-robin': { label: 'Everybody meets everybody', about: 'In games for two; as many rounds as that takes.' },
  swiss: {
    label: 'Swiss',
    about: 'Each round pairs players with similar results, without repeats if possible.',
  },
  rated: { label: 'Rated', about: 'Paired the same way. Points are the sum of scores, times one more than the wins.' },
};

const TIE_BREAKS: Record<TournamentKind, string[]> = {
  'round-robin': ['Direct', 'S-B', 'Score', 'Ties'],
  swiss: ['Buchholz', 'S-B', 'Score', 'Ties'],
  rated: ['Score'],
};

const TIE_BREAK_WORDS: Record<TournamentKind, string> = {
  'round-robin':
    'Ties are broken by points against each other (Direct), then by the points of beaten opponents (S-B, Sonneborn-Berger), then by the scores of games.',
  swiss:
    'Ties are broken by the points of opponents (Buchholz), then by the points of beaten opponents (S-B, Sonneborn-Berger), then by the scores of games.',
  rated: 'Points are the sum of the scores times one more than the number of wins; a shared win counts in part.',
};

/** The titles of the tie-break columns, without those that are all zero. */
export function tieBreakHeads({ kind, standings }: Tournament): { head: string; index: number }[] {
  return TIE_BREAKS[kind]
    .map((head, index) => ({ head, index }))
    .filter(({ index }) => standings.some(({ breaks }) => breaks[index] !== 0));
}

export function tieBreakWords({ kind }: Tournament): string {
  return TIE_BREAK_WORDS[kind];
}

/** "3", "2½", "1.33". */
export function pointsWords(points: number): string {
  const whole = Math.floor(points);
  if (points - whole === 0.5) return `${whole === 0 ? '' : whole}½`;
  return String(Math.round(points * 100) / 100);
}

/** "IceFrogs for 2 · Swiss, 3 rounds · 5 min + 5 s per move". */
export function aboutWords({ title, players, kind, length, state, clock }: Tournament): string {
  const rounds = kind === 'round-robin' && state === 'open' ? '' : `, ${length} ${length === 1 ? 'round' : 'rounds'}`;
  const tables = players > 2 ? `${title} at tables of ${players}` : title;
  return [tables, `${KINDS[kind].label}${rounds}`, clock ? clockWords(clock) : ''].filter(Boolean).join(' · ');
}

/** "won by Ann", "a draw", "won by Ann: Bob did not play"; empty before the end of the game. */
export function resultWords({ seats, wins, forfeit }: TournamentTable, names: string[]): string {
  if (wins === null) return '';
  const winners = seats.filter((_, seat) => wins[seat]! > 0).map((entrant) => names[entrant]!);
  const won = winners.length === seats.length || winners.length === 0 ? 'a draw' : `won by ${list(winners)}`;
  return forfeit === null ? won : `${won}: ${names[forfeit]} did not play`;
}

/** The names of all who share first place. */
export function winnersOf({ standings, entrants }: Tournament): string[] {
  return standings.filter(({ place }) => place === 1).map(({ entrant }) => entrants[entrant]!.name);
}
