/** Any game of the workshop between server and browser. Written by tools/wire_types.py from icetable.workshop.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Size = 'S' | 'M' | 'L';

/** A space; `x` and `y` are in steps to the right and up. `zone`: the seat that it belongs to, or another number. */
export interface Space {
  name: string;
  x: number;
  y: number;
  zone: number | null;
  colour: string | null;
}

export type Beside = 'pieces' | 'points' | 'nothing';

/** The board. Rows of hexagons are 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from the
    right; one that varies has an entry per space, as in "on r1". `beside`: the most that a seat can have beside the
    board: pieces and points, only points, or nothing. */
export interface Layout {
  workshop: boolean;
  shape: 'square' | 'hexagon' | 'circle';
  spaces: Space[];
  lines: [string, string][];
  headings: Record<string, number>;
  beside: Beside;
}

/** A pyramid. `colour`: its seat, or the name of any other colour. `heading`: null if it stands. */
export interface Pyramid {
  size: Size;
  colour: number | string;
  heading: string | null;
}

/** Any other piece. */
export interface Token {
  name: string;
  colour: number | string;
}

export type Piece = Pyramid | Token;

/** The view of every player and every watcher.

    `stacks`: the pieces by space, from the bottom up. `pads`: those in front of each seat. `asked`: the seats that have
    yet to choose in secret. `own`: the game's own values. `cooperative`: all seats win or lose together. */
export interface View extends wire.View {
  cooperative: boolean;
  stacks: Record<string, Piece[]>;
  pads: Piece[][];
  turn: number;
  out: number[];
  asked: number[];
  own: Record<string, unknown>;
}

/** A new piece is put on a space. `value`, here and below: the piece, as in "0L", "redM>ne" or "0stone". */
export interface Puts {
  kind: 'puts';
  spaces: [string];
  value: string;
}

/** A piece moves from the first space to the second; for several, `value` is as in "3 pieces". */
export interface Moves {
  kind: 'moves';
  spaces: [string, string];
  value: string;
}

/** A piece leaves the board. */
export interface Takes {
  kind: 'takes';
  spaces: [string];
  value: string;
}

/** A piece is turned, laid down, stood up or replaced; `value` is the new one. */
export interface Turns {
  kind: 'turns';
  spaces: [string];
  value: string;
}

/** A seat keeps or spends a piece, scores, or reveals its choice: `value` is as in "1:0L", "1:+3" or "1:rock". */
export interface Tells {
  kind: 'keeps' | 'spends' | 'scores' | 'reveals';
  spaces: [];
  value: string;
}

/** The seat `value` is out of the game. */
export interface Eliminates {
  kind: 'eliminates';
  spaces: [];
  value: number;
}

/** Chance drew `value`. */
export interface Draws {
  kind: 'die' | 'coin' | 'draw' | 'roll' | 'deal';
  spaces: [];
  value: string;
}

export type AnyEffect = Puts | Moves | Takes | Turns | Tells | Eliminates | Draws;

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
