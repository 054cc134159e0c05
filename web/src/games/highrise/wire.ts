/** High Rise between server and browser. Written by tools/wire_types.py from icetable.games.highrise.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Size = 'S' | 'M' | 'L';

export type Colour = 'red' | 'yellow' | 'green' | 'blue' | 'black' | 'purple' | 'orange' | 'clear' | 'cyan' | 'white';

/** A square by file and rank, both from 0. */
export interface Square {
  name: string;
  x: number;
  y: number;
}

/** The board and the pyramids.

    `colours`: the colours of the pyramids, by seat. `copies`: the number of pyramids of a size in each colour of a
    seat. `values`: the numbers to be dealt, in ascending order; null for dice. `memory`: whether larger pyramids hide
    what they cover. */
export interface Layout {
  rows: number;
  cols: number;
  squares: Square[];
  colours: Colour[][];
  copies: Record<Size, number>;
  values: number[] | null;
  memory: 'on' | 'off';
}

/** The result of a tower: its number, the pips of each seat, and its owner's points.

    `owner` is null if the tower is tied. */
export interface Account {
  number: number;
  pips: number[];
  owner: number | null;
  points: number;
}

/** The visible part of a tower: the pips of each seat, and the number of hidden pyramids.

    By these pips alone `leader` leads, null for a tie, and would score `points` plus the number. */
export interface Tower {
  pips: number[];
  hidden: number;
  leader: number | null;
  points: number;
}

export type Stash = Record<Size, Record<string, number>>;

/** The view of every player and watcher.

    `stacks`: the pyramids of a tower as "0L:red", seat, size and colour, from bottom to top, null for a hidden one. It
    has only squares with towers, like `towers`. `stash` is indexed by seat. `numbers`: the numbers under the towers,
    smallest first, if they were rolled openly or given; otherwise null. `account`: by square, once the game is over. */
export interface View extends wire.View {
  stacks: Record<string, (string | null)[]>;
  towers: Record<string, Tower>;
  stash: Stash[];
  numbers: number[] | null;
  turn: number;
  account: Record<string, Account> | null;
}

/** The dice show the numbers `value`, "112344566". */
export interface Rolls {
  kind: 'rolls';
  spaces: [];
  value: string;
}

/** A pyramid is placed on this square; `value` is "0L:red", its seat, size and colour. */
export interface Places {
  kind: 'places';
  spaces: [string];
  value: string;
}

/** The number of this square is `value`. */
export interface Reveals {
  kind: 'reveals';
  spaces: [string];
  value: number;
}

/** The tower on this square is tied. */
export interface Tied {
  kind: 'tied';
  spaces: [string];
  value: null;
}

/** The seat `value` controls the tower on this square. */
export interface Controls {
  kind: 'controls';
  spaces: [string];
  value: number;
}

/** The owner of the tower on this square scores `value` points. */
export interface Scores {
  kind: 'scores';
  spaces: [string];
  value: number;
}

/** The game is drawn by the rule `value`. */
export interface Draw {
  kind: 'draw';
  spaces: [];
  value: string;
}

export type AnyEffect = Rolls | Places | Reveals | Tied | Controls | Scores | Draw;

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
