/** The hand of a player at a board: what can be picked, and its legal targets. */

import { counted } from '../app/words';

/** Where an act starts: a space, or a kind of piece in a supply. */
export type Source = string;

/** The notation of each legal act, by source and target. */
export type Legal = ReadonlyMap<Source, ReadonlyMap<string, string>>;

export interface Hand {
  /** Empty while no seat of this browser acts. */
  legal: Legal;
  picked: Source | null;
}

export interface Move {
  source: Source;
  target: string;
  text: string;
}

export function movesBySource(moves: Move[]): Legal {
  const found = new Map<Source, Map<string, string>>();
  for (const { source, target, text } of moves) {
    found.set(source, (found.get(source) ?? new Map<string, string>()).set(target, text));
  }
  return found;
}

export type Tap =
  | { kind: 'pick'; source: Source }
  | { kind: 'put back' }
  | { kind: 'act'; text: string }
  | { kind: 'attempt'; source: Source };

/**
 * The meaning of choosing a space; `own`: its piece can be picked. If a piece is picked, an own piece that is no legal
 * target is picked instead; any other space is an attempt, and the server says why it is illegal.
 */
export function tap({ legal, picked }: Hand, space: string, own: boolean): Tap | null {
  if (picked === null) return own ? { kind: 'pick', source: space } : null;
  if (picked === space) return { kind: 'put back' };
  const text = legal.get(picked)?.get(space);
  if (text !== undefined) return { kind: 'act', text };
  return own ? { kind: 'pick', source: space } : { kind: 'attempt', source: picked };
}

/** The role of a space for the hand; `free`, `cover` and `win`: the picked piece can move here. */
export type Role = 'movable' | 'picked' | 'free' | 'cover' | 'win';

/** `taken`: there is a piece on the space. */
export function role({ legal, picked }: Hand, space: string, taken: boolean): Role | null {
  if (picked === null) return legal.has(space) ? 'movable' : null;
  if (picked === space) return 'picked';
  if (!legal.get(picked)?.has(space)) return null;
  return taken ? 'cover' : 'free';
}

/** The spaces that have a role. */
export function rolesOf<S extends { name: string }>(
  spaces: readonly S[],
  roleOf: (space: S) => Role | null,
): Map<string, Role> {
  return new Map(
    spaces.flatMap((space): [string, Role][] => {
      const now = roleOf(space);
      return now ? [[space.name, now]] : [];
    }),
  );
}

/** "3 destinations". */
export function destinationWords({ legal, picked }: Hand): string {
  const size = picked === null ? 0 : (legal.get(picked)?.size ?? 0);
  return size === 0 ? 'it has no legal move' : counted(size, 'destination');
}
