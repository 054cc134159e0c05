/** The animation of a move: pyramids move, rectangles light up, captured ones fly off and the coin turns. */

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
  /** The side of the coin that resolved it; null if it does not count. */
  coin: CoinSide | null;
}

/** Positions are in files and ranks. */
export interface WreckScene extends Scene {
  roll: Span | null;
  travellers: Traveller[];
  glow: Span | null;
  coin: Span | null;
}

const ROLL_MS = 1300;
const MOVE_MS = 320;
const SWAP_MS = 620;
const GLOW_MS = 900;
const EXIT_MS = 620;
const TURN_MS = 700;
/** One of two swapped pyramids passes above the other. */
const SWAP_ARC = 70;

/** `carried`: the pyramid is already in its place. */
export function planScene(
  before: View,
  line: Line,
  squares: Square[],
  seats: Seat[],
  carried: boolean,
): WreckScene | null {
  if (rollOf(line)) {
    return { roll: { start: 0, end: ROLL_MS }, travellers: [], glow: null, coin: null, milliseconds: ROLL_MS };
  }
  const move = readMove(line.text);
  const at = new Map(squares.map(({ name, x, y }): [string, Position] => [name, { x, y, z: 0, lean: 0 }]));
  const [from, to] = [at.get(move?.from ?? ''), at.get(move?.to ?? '')];
  if (!move || !from || !to) return null;

  const legs = new Map<string, { name: string; path: Leg[] }>();
  const other = before.pieces[move.to];
  const moveMs = move.swap ? SWAP_MS : MOVE_MS;
  legs.set(move.to, { name: before.pieces[move.from]!, path: [carried ? rest(to, 0) : leap(from, to, 10, moveMs)] });
  if (other) legs.set(move.from, { name: other, path: [leap(to, from, SWAP_ARC, moveMs)] });
  const moved = Math.max(...[...legs.values()].map(({ path }) => duration(path)));

  const forms = effects(line, 'forms').length > 0;
  const lit = moved + (forms ? GLOW_MS : 0);
  const exits: Span = { start: lit, end: lit + EXIT_MS };
  const prey = [...effects(line, 'captures'), ...effects(line, 'removes')];
  const leaving = new Map(prey.map(({ spaces, value }) => [spaces[0], value]));
  const travellers = [...new Set([...legs.keys(), ...leaving.keys()])].map((square): Traveller => {
    const { name, path } = legs.get(square) ?? { name: leaving.get(square)!, path: [] };
    const place = at.get(square)!;
    const pause = rest(place, exits.start - duration(path));
    const leaves = leaving.has(square) ? exits : null;
    return {
      square,
      piece: piece(name, seats),
      legs: leaves ? [...path, pause, exit(place)] : path,
      leaves,
    };
  });
  const coin = effect(line, 'coin') ? { start: lit, end: lit + TURN_MS } : null;
  const milliseconds = Math.max(lit, prey.length ? exits.end : 0, coin?.end ?? 0);
  if (milliseconds === 0) return null;
  const glow = forms ? { start: moved, end: exits.end } : null;
  const times = { moves: [moved], swaps: [moved], forms: [moved], captures: [lit], removes: [lit], coin: [lit] };
  return { roll: null, travellers, glow, coin, milliseconds, times };
}

/** Flies off over the nearest side of the board. */
function exit(from: Position): Leg {
  const right = from.x > 3.5;
  const to = { ...from, x: right ? from.x + 2.5 : from.x - 2.5, z: 150 };
  return { from, to, arc: 40, milliseconds: EXIT_MS };
}

/** The rectangles that an act formed. `coin`: the side before the act. */
export function rectanglesOf(line: Line | null, coin: CoinSide): Rectangle[] {
  return effects(line, 'forms').map(({ spaces, value }) => ({
    corners: spaces,
    coin: value === 'resolved' ? coin : null,
  }));
}

/** The side of the coin before an act, from the side after it. */
export function coinBefore(line: Line | null, coin: CoinSide): CoinSide {
  if (!effect(line, 'coin')) return coin;
  return coin === 'heads' ? 'tails' : 'heads';
}
