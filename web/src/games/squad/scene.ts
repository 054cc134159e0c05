/** A turn as it is shown: the friend comes, the captains leap over it, then friends fall. */

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
  /** To which side it falls, if it does: -1 left, 1 right. */
  side: number;
}

export interface Leaper extends Mover {
  seat: number;
  /** When it is in the air, and what the die shows before and after. */
  turns: Span;
  faces: [number, number];
}

/** Places are in files and ranks. */
export interface SquadScene extends Scene {
  friends: Friend[];
  leapers: Leaper[];
}

const HEIGHT = 120;
const DROP = 340;
const LEAP = 640;
const FALL = 620;
const PAUSE = 140;

/** `carried`: the friend already lies where it was put. */
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
  const legs = [carried ? rest(place, 0) : { from: { ...place, z: HEIGHT }, to: place, arc: 0, milliseconds: DROP }];
  const comes: Span = { start: 0, end: duration(legs) };
  if (placed.kind === 'captain') {
    const { face } = before.captains[line.seat]!;
    const leaper: Leaper = { legs, leaves: null, seat: line.seat, turns: comes, faces: [face, face] };
    return carried ? null : { friends: [], leapers: [leaper], milliseconds: comes.end };
  }

  const comer = piece(placed.value, seats);
  const leaps: Span = { start: comes.end + PAUSE, end: comes.end + PAUSE + LEAP };
  const leapers = effects(line, 'stunt').flatMap((stunt): Leaper[] => {
    const [from, , to] = stunt.spaces;
    const { seat, face } = readStunt(stunt);
    const captain = before.captains[seat];
    const [origin, target] = [at.get(from), at.get(to)];
    if (!captain || !origin || !target) return [];
    const way = [rest(origin, leaps.start), leap(origin, target, tipHeight([comer]), LEAP)];
    return [{ legs: way, leaves: null, seat, turns: leaps, faces: [captain.face, face] }];
  });
  const falls: Span = { start: leaps.end + PAUSE, end: leaps.end + PAUSE + FALL };
  const fallen = new Map(effects(line, 'fall').map(({ spaces, value }) => [spaces[0], value]));
  /** Away from the captains that landed. */
  const middle = Math.max(...leapers.map(({ legs }) => legs.at(-1)!.to.x));
  const friend = (name: string, one: Piece, way: Mover['legs']): Friend => ({
    square: name,
    piece: one,
    legs: way,
    leaves: fallen.has(name) ? falls : null,
    side: at.get(name)!.x < middle ? -1 : 1,
  });
  const others = [...fallen].flatMap(([name, one]) =>
    name === square ? [] : [friend(name, piece(one, seats), [rest(at.get(name)!, 0)])],
  );
  const milliseconds = fallen.size ? falls.end : leapers.length ? leaps.end : comes.end;
  const times = { formation: [comes.end], stunt: [leaps.start], fall: [falls.start] };
  return milliseconds === 0
    ? null
    : { friends: [friend(square, comer, legs), ...others], leapers, milliseconds, times };
}
