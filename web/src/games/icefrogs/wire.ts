/** IceFrogs between server and browser. Written by tools/wire_types.py from icetable.games.icefrogs.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Size = 'S' | 'M' | 'L';

/** A space: neighbours in a row are 2 apart, rows are 1 apart. `start`: the seat that starts here. */
export interface Space {
  name: string;
  x: number;
  y: number;
  start: number | null;
}

/** The board and its spaces, row by row from the lowest. */
export interface Layout {
  board: 'star' | 'hexagon';
  spaces: Space[];
}

/** The view of every player and watcher.

    `stacks`: the pyramids on occupied spaces as "0L", seat and size, from bottom to top. `supply`: the number of
    pyramids of each size left, by seat. `turn_limit`: the game is drawn after this many turns, 0 for never. */
export interface View extends wire.View {
  stacks: Record<string, string[]>;
  supply: Record<Size, number>[];
  turn: number;
  turn_limit: number;
}

/** The spaces on the path of the pyramid `value`, from its origin to its end. */
export interface Path {
  kind: 'path';
  spaces: string[];
  value: string;
}

/** The pyramid lands on another one, `value`, on this space. */
export interface Covers {
  kind: 'covers';
  spaces: [string];
  value: string;
}

/** The pyramid has reached this start space of another seat, and its own seat has won. */
export interface Reaches {
  kind: 'reaches';
  spaces: [string];
  value: null;
}

/** The game is drawn by the rule `value`. */
export interface Draw {
  kind: 'draw';
  spaces: [];
  value: string;
}

export type AnyEffect = Path | Covers | Reaches | Draw;

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
