/** Icehouse between server and browser. Written by tools/wire_types.py from icetable.games.icehouse.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Size = 'S' | 'M' | 'L';

export type Colour = 'red' | 'green' | 'blue' | 'yellow' | 'cyan' | 'orange' | 'purple' | 'white';

/** The field and the pieces, in thousandths of an inch, and how placements are judged.

    `tolerance` is in millionths of an inch. `along_ray`: the range is measured along the ray, not as the gap (IH-11).
    `crashes`: a deep overlap is a crash, not merely refused (IH-30). `prevents`: premature attacks are refused (IH-13).
    `gift_time`: the time limit for paying a debt, in milliseconds (IH-24). `safe`: with so many pieces on the pad a
    player can't be put in the icehouse (IH-21). `goal`: what a player is after. `colours` go by seat. */
export interface Layout {
  width: number;
  height: number;
  lengths: Record<Size, number>;
  tolerance: number;
  bases: Record<Size, number>;
  along_ray: boolean;
  crashes: boolean;
  prevents: boolean;
  gift_time: number;
  safe: number;
  goal: string;
  colours: Colour[];
}

/** A piece on the field; `x` and `y` are in thousandths of an inch, `heading` in degrees.

    `points_at` is the id of a piece. `valid` and `redundant` are null for standing pieces, `iced` for lying ones. */
export interface FieldPiece {
  id: string;
  colour: Colour;
  size: Size;
  x: number;
  y: number;
  heading: number;
  standing: boolean;
  points_at: string | null;
  valid: boolean | null;
  iced: boolean | null;
  redundant: boolean | null;
}

/** The number of pieces of each size; absent sizes are left out. */
export interface SizeCounts {
  S?: number;
  M?: number;
  L?: number;
}

export type Pad = Record<string, SizeCounts>;

/** The view of every player and every watcher.

    `ready` and `in_icehouse` are seats. `pads` and `hands`, "L:red" or null, go by seat. `owed`: by seat in debt, the
    piece it crashed with, or null if it may choose. */
export interface View extends wire.View {
  ready: number[];
  field: FieldPiece[];
  pads: Pad[];
  hands: (string | null)[];
  in_icehouse: number[];
  owed: Record<string, string | null>;
}

/** A debt was settled when time was up: the first colour gave the second one the piece `value`. */
export interface Settles {
  kind: 'settles';
  spaces: [Colour, Colour];
  value: string;
}

/** Every seat is ready, and play starts. */
export interface Starts {
  kind: 'starts';
  spaces: [];
  value: null;
}

/** The piece `value` was placed and has this id. */
export interface Places {
  kind: 'places';
  spaces: [string];
  value: string;
}

/** This colour has crashed with the piece `value`. */
export interface Crashes {
  kind: 'crashes';
  spaces: [Colour];
  value: string;
}

/** The piece with this id, `value`, is captured. */
export interface Captures {
  kind: 'captures';
  spaces: [string];
  value: string;
}

/** The pieces with these ids go back to the pad of the colour `value`. */
export interface Melts {
  kind: 'melts';
  spaces: string[];
  value: Colour;
}

/** The first colour gives the second one the piece `value`. */
export interface Gives {
  kind: 'gives';
  spaces: [Colour, Colour];
  value: string;
}

/** The bell rings. */
export interface Rings {
  kind: 'rings';
  spaces: [];
  value: null;
}

/** The piece `value` goes from the hand of this colour back to its pad. */
export interface Returns {
  kind: 'returns';
  spaces: [Colour];
  value: string;
}

/** The call of icehouse is void: it came `value` milliseconds after a true one, or, if None, after a false one. */
export interface Void {
  kind: 'void';
  spaces: [];
  value: number | null;
}

/** The call has put this colour in the icehouse. */
export interface Finds {
  kind: 'finds';
  spaces: [Colour];
  value: null;
}

/** The first colour hands its pad, `value` pieces, over to the second one. */
export interface HandsOver {
  kind: 'hands_over';
  spaces: [Colour, Colour];
  value: number;
}

/** The call of this colour found nobody. */
export interface FalseCall {
  kind: 'false_call';
  spaces: [Colour];
  value: null;
}

/** This colour owes a piece. */
export interface Owes {
  kind: 'owes';
  spaces: [Colour];
  value: null;
}

/** The piece with this id is iced. */
export interface Ices {
  kind: 'ices';
  spaces: [string];
  value: null;
}

/** The piece with this id is no longer iced. */
export interface Frees {
  kind: 'frees';
  spaces: [string];
  value: null;
}

/** The attack of the piece with this id is no longer valid. */
export interface Spoils {
  kind: 'spoils';
  spaces: [string];
  value: null;
}

/** The attack of the piece with this id has become valid again. */
export interface Renews {
  kind: 'renews';
  spaces: [string];
  value: null;
}

/** The game is over by the rule `value`; these colours have won. */
export interface Ends {
  kind: 'ends';
  spaces: Colour[];
  value: string;
}

export type AnyEffect = Settles | Starts | Places | Crashes | Captures | Melts | Gives | Rings | Returns | Void | Finds | HandsOver | FalseCall | Owes | Ices | Frees | Spoils | Renews | Ends;

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
