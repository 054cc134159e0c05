/** A tournament in words. */

import { clockWords } from '../app/clocks';
import { list } from '../app/words';
import type { Tournament, TournamentKind, TournamentTable } from '../wire';

export const KINDS: Record<TournamentKind, { label: string; about: string }> = {
  'round-robin': { label: 'Everybody meets everybody', about: 'In games of two; as many rounds as that takes.' },
  swiss: {
    label: 'Swiss',
    about: 'Each round brings together those who stand alike. Nobody meets again if avoidable.',
  },
  rated: { label: 'Rated', about: 'Drawn like that; what counts is the sum of scores, times one more than the wins.' },
};

const BREAKS: Record<TournamentKind, string[]> = {
  'round-robin': ['Direct', 'S-B', 'Score', 'Ties'],
  swiss: ['Buchholz', 'S-B', 'Score', 'Ties'],
  rated: ['Score'],
};

const EXPLAINED: Record<TournamentKind, string> = {
  'round-robin':
    'Of those with as many points, the better ones have more points against each other (Direct), then more of the points of those they beat (S-B, Sonneborn-Berger), then the higher score in their games.',
  swiss:
    'Of those with as many points, the better ones had opponents with more points (Buchholz), then more of the points of those they beat (S-B, Sonneborn-Berger), then the higher score in their games.',
  rated: 'Points are the sum of the scores times one more than the number of wins; a shared win counts in part.',
};

/** The heads of the columns that decide between equal points; those that nothing hangs on are left out. */
export function breakHeads({ kind, standings }: Tournament): { head: string; index: number }[] {
  return BREAKS[kind]
    .map((head, index) => ({ head, index }))
    .filter(({ index }) => standings.some(({ breaks }) => breaks[index] !== 0));
}

export function breakWords({ kind }: Tournament): string {
  return EXPLAINED[kind];
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

/** "won by Ann", "a draw", "won by Ann: Bob did not come"; empty as long as the game is not over. */
export function resultWords({ seats, wins, forfeit }: TournamentTable, names: string[]): string {
  if (wins === null) return '';
  const winners = seats.filter((_, seat) => wins[seat]! > 0).map((entrant) => names[entrant]!);
  const won = winners.length === seats.length || winners.length === 0 ? 'a draw' : `won by ${list(winners)}`;
  return forfeit === null ? won : `${won}: ${names[forfeit]} did not play`;
}

/** Who has won, all who share the first place. */
export function winnersOf({ standings, entrants }: Tournament): string[] {
  return standings.filter(({ place }) => place === 1).map(({ entrant }) => entrants[entrant]!.name);
}
