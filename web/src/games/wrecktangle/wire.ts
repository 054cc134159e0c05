/** WreckTangle between server and browser. Written by tools/wire_types.py from icetable.games.wrecktangle.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Roll = 'away' | 'toward' | 'diag-away' | 'diag-toward' | 'swap' | 'wild';

export type CoinSide = 'heads' | 'tails';

export type Verdict = 'resolved' | 'home-row' | 'repeated';

/** A square by file and rank, both from 0. `home`: the seat whose home row it belongs to. */
export interface Square {
  name: string;
  x: number;
  y: number;
  home: number | null;
}

/** A seat's home row, and the step in files and ranks that leads away from it. */
export interface Home {
  home: string[];
  away: [number, number];
}

/** The board, and the home rows by seat. */
export interface Layout {
  squares: Square[];
  seats: Home[];
}

/** A rectangle that a seat could complete with one move in the current position.

    `corners`: all four. `missing`: the one that the seat does not hold yet. `move`: a normal move completes it.
    `rolls`: the faces of the die whose die move completes it; for the seat to act, at most the one rolled. `prey`: the
    squares of the pyramids that it would capture with the current side of the coin. */
export interface Threat {
  seat: number;
  corners: string[];
  missing: string;
  move: boolean;
  rolls: Roll[];
  prey: string[];
}

/** The view of every player and watcher.

    `turn_of`: the seat whose turn it is. `roll`: the face of the die, null before it is rolled. `pieces`: the pyramids
    by square, as "1D", seat and kind. By seat: `lost`, the number of pyramids lost, and `last`, the corners of the
    rectangles of its last capture. `out`: the seats that are out. `turn_limit`: the game is drawn after this many
    turns, 0 for never. `threats`: help for players who learn to spot them. */
export interface View extends wire.View {
  turn: number;
  turn_of: number;
  roll: Roll | null;
  normal_owed: boolean;
  die_unused: boolean;
  coin: CoinSide;
  pieces: Record<string, string>;
  lost: number[];
  last: string[][][];
  normal_possible: boolean;
  out: number[];
  turn_limit: number;
  threats: Threat[];
}

/** The pyramid `value`, "0Q", moves from the first square to the second. */
export interface Moves {
  kind: 'moves';
  spaces: [string, string];
  value: string;
}

/** The pyramids on these squares change places; `value`, "0Q 1P", names them in the same order. */
export interface Swaps {
  kind: 'swaps';
  spaces: [string, string];
  value: string;
}

/** A rectangle with these corners is formed; `value` says whether it counts, or why not. */
export interface Forms {
  kind: 'forms';
  spaces: string[];
  value: Verdict;
}

/** The pyramid on this square, `value`, is captured. */
export interface Captures {
  kind: 'captures';
  spaces: [string];
  value: string;
}

/** The coin is turned to the side `value`. */
export interface Coin {
  kind: 'coin';
  spaces: [];
  value: CoinSide;
}

/** The seat `value` is out. */
export interface Out {
  kind: 'out';
  spaces: [];
  value: number;
}

/** The pyramid on this square, `value`, is taken off the board: its seat is out. */
export interface Removes {
  kind: 'removes';
  spaces: [string];
  value: string;
}

/** The turn passes to the seat `value`. */
export interface Turn {
  kind: 'turn';
  spaces: [];
  value: number;
}

/** The seat `value` has won. */
export interface Wins {
  kind: 'wins';
  spaces: [];
  value: number;
}

/** The game is drawn by the rule `value`. */
export interface Draw {
  kind: 'draw';
  spaces: [];
  value: string;
}

export type AnyEffect = Moves | Swaps | Forms | Captures | Coin | Out | Removes | Turn | Wins | Draw;

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
