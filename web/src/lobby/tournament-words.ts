/** A tournament in words. */

import { clockWords } from '../app/clocks';
import { counted, list, ordinal } from '../app/words';
import type { Tournament, TournamentKind, TournamentListing, TournamentTable } from '../wire';
import { pairingOf } from '../app/tournaments';

export const KINDS: Record<TournamentKind, { label: string; about: string }> = {
  'round-robin': { label: 'Round robin', about: 'Everyone plays everyone, two at a table.' },
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

const TIE_BREAK_WORDS: Record<string, string> = {
  Direct: 'the points against each other (Direct)',
  Buchholz: 'the points of opponents (Buchholz)',
  'S-B': 'the points of beaten opponents (S-B, Sonneborn-Berger)',
  Score: 'the scores of games (Score)',
  Ties: 'the game’s own tie-break (Ties)',
};

const RATED_WORDS =
  'Points are the sum of the scores times one more than the number of wins; a shared win counts in part.';

/** The titles of the tie-break columns, without those that are all zero. */
export function tieBreakHeads({ kind, standings }: Tournament): { head: string; index: number }[] {
  return TIE_BREAKS[kind]
    .map((head, index) => ({ head, index }))
    .filter(({ index }) => standings.some(({ breaks }) => breaks[index] !== 0));
}

/** Explains the columns that are shown; empty if there are none to explain. */
export function tieBreakWords(tournament: Tournament): string {
  if (tournament.kind === 'rated') return RATED_WORDS;
  const parts = tieBreakHeads(tournament).map(({ head }) => TIE_BREAK_WORDS[head]!);
  return parts.length > 0 ? `Ties are broken by ${parts.join(', then by ')}.` : '';
}

/** "3", "2½", "1.33". */
export function pointsWords(points: number): string {
  const whole = Math.floor(points);
  if (points - whole === 0.5) return `${whole === 0 ? '' : whole}½`;
  return String(Math.round(points * 100) / 100);
}

/** "IceFrogs for 2 · Swiss, 3 rounds · 5 min + 5 s per move". */
export function aboutWords({
  title,
  players,
  kind,
  length,
  state,
  clock,
}: Pick<Tournament, 'title' | 'players' | 'kind' | 'length' | 'state' | 'clock'>): string {
  const rounds = kind === 'round-robin' && state === 'open' ? '' : `, ${counted(length, 'round')}`;
  const tables = players > 2 ? `${title} at tables of ${players}` : title;
  return [tables, `${KINDS[kind].label}${rounds}`, clock ? clockWords(clock) : ''].filter(Boolean).join(' · ');
}

/** "2 players so far", "round 2 of 3 · your game", "you came 2nd": the state for one of its players or its organizer. */
export function lineWords(tournament: Tournament, entrant: number | undefined, isOwner: boolean): string {
  const { state, rounds, length, entrants, standings } = tournament;
  if (state === 'open') {
    const words = `${counted(entrants.filter(({ gone }) => !gone).length, 'player')} so far`;
    return isOwner ? `${words} · starts when you start it` : words;
  }
  if (state === 'over') {
    const place = standings.find((line) => line.entrant === entrant)?.place;
    return place === undefined ? `won by ${list(winnersOf(tournament))}` : `over: you came ${ordinal(place)}`;
  }
  const round = `round ${rounds.length} of ${length}`;
  if (pairingOf(tournament, entrant)) return `${round} · your game`;
  return entrant !== undefined && rounds.at(-1)?.out.includes(entrant) ? `${round} · you have a bye` : round;
}

/** "Squad · Swiss, 3 rounds · 4 players so far". */
export function listingWords(listing: TournamentListing): string {
  const { state, round, length, entrants } = listing;
  const now = state === 'open' ? `${counted(entrants, 'player')} so far` : `round ${round} of ${length}`;
  return `${aboutWords(listing)} · ${now}`;
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
