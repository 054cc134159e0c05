/** A move as it is shown: pyramids move, rectangles light up, captured ones fly off and the coin turns. */

import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import { duration, leap, rest, type Leg, type Mover, type Position, type Span } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import { piece, readMove, rollOf } from './game';
import { effect, effects } from '../../board/words';
import type { CoinSide, Line, Square, View } from './wire';

export interface Traveller extends Mover {
  square: string;
  piece: Piece;
}

export interface Rectangle {
  corners: string[];
  /** It was resolved, by this side of the coin; null where it does not count. */
  coin: CoinSide | null;
}

/** Places are in files and ranks. */
export interface WreckScene extends Scene {
  roll: Span | null;
  travellers: Traveller[];
  glow: Span | null;
  coin: Span | null;
}

const ROLL = 1300;
const MOVE = 320;
const SWAP = 620;
const GLOW = 900;
const EXIT = 620;
const TURN = 700;
/** Two that change places pass one above the other. */
const ABOVE = 70;

/** `carried`: the pyramid already lies where it was put. */
export function planScene(
  before: View,
  line: Line,
  squares: Square[],
  seats: Seat[],
  carried: boolean,
): WreckScene | null {
  if (rollOf(line)) {
    return { roll: { start: 0, end: ROLL }, travellers: [], glow: null, coin: null, milliseconds: ROLL };
  }
  const move = readMove(line.text);
  const at = new Map(squares.map(({ name, x, y }): [string, Position] => [name, { x, y, z: 0, lean: 0 }]));
  const [from, to] = [at.get(move?.from ?? ''), at.get(move?.to ?? '')];
  if (!move || !from || !to) return null;

  const legs = new Map<string, { name: string; way: Leg[] }>();
  const other = before.pieces[move.to];
  const moves = move.swap ? SWAP : MOVE;
  legs.set(move.to, { name: before.pieces[move.from]!, way: [carried ? rest(to, 0) : leap(from, to, 10, moves)] });
  if (other) legs.set(move.from, { name: other, way: [leap(to, from, ABOVE, moves)] });
  const moved = Math.max(...[...legs.values()].map(({ way }) => duration(way)));

  const forms = effects(line, 'forms').length > 0;
  const lit = moved + (forms ? GLOW : 0);
  const exits: Span = { start: lit, end: lit + EXIT };
  const prey = [...effects(line, 'captures'), ...effects(line, 'removes')];
  const leaving = new Map(prey.map(({ spaces, value }) => [spaces[0], value]));
  const travellers = [...new Set([...legs.keys(), ...leaving.keys()])].map((square): Traveller => {
    const { name, way } = legs.get(square) ?? { name: leaving.get(square)!, way: [] };
    const place = at.get(square)!;
    const waits = rest(place, exits.start - duration(way));
    const leaves = leaving.has(square) ? exits : null;
    return {
      square,
      piece: piece(name, seats),
      legs: leaves ? [...way, waits, exit(place)] : way,
      leaves,
    };
  });
  const coin = effect(line, 'coin') ? { start: lit, end: lit + TURN } : null;
  const milliseconds = Math.max(lit, prey.length ? exits.end : 0, coin?.end ?? 0);
  if (milliseconds === 0) return null;
  const glow = forms ? { start: moved, end: exits.end } : null;
  const times = { moves: [moved], swaps: [moved], forms: [moved], captures: [lit], removes: [lit], coin: [lit] };
  return { roll: null, travellers, glow, coin, milliseconds, times };
}

/** Up and over the nearest side of the board. */
function exit(from: Position): Leg {
  const right = from.x > 3.5;
  const to = { ...from, x: right ? from.x + 2.5 : from.x - 2.5, z: 150 };
  return { from, to, arc: 40, milliseconds: EXIT };
}

/** The rectangles that a line's act formed. `coin`: the side that lay up when it was made. */
export function rectanglesOf(line: Line | null, coin: CoinSide): Rectangle[] {
  return effects(line, 'forms').map(({ spaces, value }) => ({
    corners: spaces,
    coin: value === 'resolved' ? coin : null,
  }));
}

/** The side of the coin before a line's act, from the side after it. */
export function coinBefore(line: Line | null, coin: CoinSide): CoinSide {
  if (!effect(line, 'coin')) return coin;
  return coin === 'heads' ? 'tails' : 'heads';
}
