/** The tournaments that this browser plays in or has opened, with the codes of its place and of its organizer. */

import { keys, read, write } from './storage';
import { storedTable, storeTable, withCodes } from './tables';
import type { Tournament, TournamentTable } from '../wire';

export interface StoredTournament {
  id: string;
  name: string;
  /** The title of the game. */
  title: string;
  /** The last visit, in milliseconds since 1970. */
  when: number;
  /** This browser’s entrant; undefined until the server has answered. */
  entrant?: number;
  /** The code of its seats. */
  code?: string;
  /** The organizer’s code. */
  owner?: string;
  over?: boolean;
}

/** Earlier versions stored the entrant and the code only. */
const UNNAMED = { name: 'Tournament', title: '', when: 0 };

const PREFIX = 'tournament.';

export function storedTournament(id: string): StoredTournament | null {
  const stored = read(PREFIX + id);
  if (typeof stored !== 'object' || stored === null) return null;
  const { entrant, code, owner, name, title, when, over } = stored as Record<string, unknown>;
  return {
    ...UNNAMED,
    id,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof when === 'number' ? { when } : {}),
    ...(typeof entrant === 'number' ? { entrant } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof owner === 'string' ? { owner } : {}),
    ...(over === true ? { over } : {}),
  };
}

export function storeTournament(id: string, change: Partial<StoredTournament>): void {
  write(PREFIX + id, { ...storedTournament(id), ...change, when: Date.now() });
}

/** Newest visit first, those that are over last. */
export function storedTournaments(): StoredTournament[] {
  return keys()
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => storedTournament(key.slice(PREFIX.length)))
    .filter((stored) => stored !== null)
    .sort((a, b) => Number(a.over ?? false) - Number(b.over ?? false) || b.when - a.when);
}

/** The table where an entrant has a game to play. */
export function pairingOf({ rounds }: Tournament, entrant: number | undefined): TournamentTable | undefined {
  if (entrant === undefined) return undefined;
  return rounds.at(-1)?.tables.find(({ seats, wins }) => wins === null && seats.includes(entrant));
}

/** Lists a pairing among this browser’s games; returns whether it is new there. */
export function storePairing(tournament: Tournament, { table, seats }: TournamentTable, code: string): boolean {
  const known = storedTable(table);
  if (known?.codes.includes(code)) return false;
  const names = seats.map((entrant) => tournament.entrants[entrant]!.name);
  const { game, title } = tournament;
  storeTable({ id: table, game, title, names, when: Date.now(), codes: withCodes(known?.codes ?? [], [code]) });
  return true;
}
