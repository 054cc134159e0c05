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

    `colours`: those of a seat's pyramids, by seat. `copies`: how many pyramids of a size a seat has in each of its
    colours. `values`: the numbers that are dealt, in order; null where dice are rolled. `memory`: what a larger pyramid
    covers is hidden. */
export interface Layout {
  rows: number;
  cols: number;
  squares: Square[];
  colours: Colour[][];
  copies: Record<Size, number>;
  values: number[] | null;
  memory: 'on' | 'off';
}

/** What a tower brings in the end: its number, the pips of each seat, and its owner's points.

    `owner` is null where the tower is tied. */
export interface Account {
  number: number;
  pips: number[];
  owner: number | null;
  points: number;
}

/** What is in sight of a tower: the pips of each seat, and how many pyramids are hidden.

    By that alone `leader` leads, null for a tie, and would score `points` and the number. */
export interface Tower {
  pips: number[];
  hidden: number;
  leader: number | null;
  points: number;
}

export type Stash = Record<Size, Record<string, number>>;

/** What every player and every watcher sees.

    `stacks`: pyramids as "0L:red", seat, size and colour, from bottom to top, null where one is hidden; only squares
    with towers, like `towers`. `stash` goes by seat. `numbers`: those that lie somewhere under the towers, smallest
    first, as far as all know: rolled openly or given; else null. `account` goes by square, once the game is over. */
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

/** The tower on this square belongs to no seat. */
export interface Tied {
  kind: 'tied';
  spaces: [string];
  value: null;
}

/** The tower on this square belongs to the seat `value`. */
export interface Controls {
  kind: 'controls';
  spaces: [string];
  value: number;
}

/** The tower on this square brings its owner `value` points. */
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
