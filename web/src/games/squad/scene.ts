/** The animation of a turn: a friend arrives, captains leap over it, then friends fall. */

import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import { duration, leap, rest, type Mover, type Position, type Span } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import { tipHeight } from '../../board/spaces';
import { piece, placedBy, readStunt } from './game';
import { effects } from '../../board/words';
import type { Line, Square, View } from './wire';

export interface Friend extends Mover {
  square: string;
  piece: Piece;
  /** The side that it falls to, if it does: -1 left, 1 right. */
  side: number;
}

export interface Leaper extends Mover {
  seat: number;
  /** Its time in the air, and the numbers that the die shows before and after. */
  turns: Span;
  faces: [number, number];
}

/** Positions are in files and ranks. */
export interface SquadScene extends Scene {
  friends: Friend[];
  leapers: Leaper[];
}

const DROP_HEIGHT = 120;
const DROP_MS = 340;
const LEAP_MS = 640;
const FALL_MS = 620;
const PAUSE_MS = 140;

/** `carried`: the friend is already in its place. */
export function planScene(
  before: View,
  line: Line,
  squares: Square[],
  seats: Seat[],
  carried: boolean,
): SquadScene | null {
  const at = new Map(squares.map(({ name, x, y }): [string, Position] => [name, { x, y, z: 0, lean: 0 }]));
  const placed = placedBy(line);
  const square = placed?.spaces[0];
  const place = at.get(square ?? '');
  if (!placed || square === undefined || !place) return null;
  const from = { ...place, z: DROP_HEIGHT };
  const legs = [carried ? rest(place, 0) : { from, to: place, arc: 0, milliseconds: DROP_MS }];
  const drop: Span = { start: 0, end: duration(legs) };
  if (placed.kind === 'captain') {
    const { face } = before.captains[line.seat]!;
    const leaper: Leaper = { legs, leaves: null, seat: line.seat, turns: drop, faces: [face, face] };
    return carried ? null : { friends: [], leapers: [leaper], milliseconds: drop.end };
  }

  const newcomer = piece(placed.value, seats);
  const leaps: Span = { start: drop.end + PAUSE_MS, end: drop.end + PAUSE_MS + LEAP_MS };
  const leapers = effects(line, 'stunt').flatMap((stunt): Leaper[] => {
    const [from, , to] = stunt.spaces;
    const { seat, face } = readStunt(stunt);
    const captain = before.captains[seat];
    const [origin, target] = [at.get(from), at.get(to)];
    if (!captain || !origin || !target) return [];
    const path = [rest(origin, leaps.start), leap(origin, target, tipHeight([newcomer]), LEAP_MS)];
    return [{ legs: path, leaves: null, seat, turns: leaps, faces: [captain.face, face] }];
  });
  const falls: Span = { start: leaps.end + PAUSE_MS, end: leaps.end + PAUSE_MS + FALL_MS };
  const fallen = new Map(effects(line, 'fall').map(({ spaces, value }) => [spaces[0], value]));
  /** Friends fall away from the captains that landed. */
  const middle = Math.max(...leapers.map(({ legs }) => legs.at(-1)!.to.x));
  const friend = (name: string, pyramid: Piece, legs: Mover['legs']): Friend => ({
    square: name,
    piece: pyramid,
    legs,
    leaves: fallen.has(name) ? falls : null,
    side: at.get(name)!.x < middle ? -1 : 1,
  });
  const others = [...fallen].flatMap(([on, name]) =>
    on === square ? [] : [friend(on, piece(name, seats), [rest(at.get(on)!, 0)])],
  );
  const milliseconds = fallen.size ? falls.end : leapers.length ? leaps.end : drop.end;
  const times = { formation: [drop.end], stunt: [leaps.start], fall: [falls.start] };
  return milliseconds === 0
    ? null
    : { friends: [friend(square, newcomer, legs), ...others], leapers, milliseconds, times };
}
