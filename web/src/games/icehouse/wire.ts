/** Icehouse between server and browser. Written by tools/wire_types.py from icetable.games.icehouse.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Size = 'S' | 'M' | 'L';

export type Colour = 'red' | 'green' | 'blue' | 'yellow' | 'cyan' | 'orange' | 'purple' | 'white';

/** The field and the pieces, and how placements are judged. */
export interface Layout {
  /** The width of the field in thousandths of an inch. */
  width: number;
  /** The height of the field in thousandths of an inch. */
  height: number;
  /** The length of a lying piece of each size, in thousandths of an inch. */
  lengths: Record<Size, number>;
  /** The deepest overlap that is not a crash, in millionths of an inch. */
  tolerance: number;
  /** The side of the base of each size, in thousandths of an inch. */
  bases: Record<Size, number>;
  /** Whether the range is measured along the ray, not as the gap (IH-11). */
  along_ray: boolean;
  /** Whether a deep overlap is a crash, not merely refused (IH-30). */
  crashes: boolean;
  /** Whether premature attacks are refused (IH-13). */
  prevents: boolean;
  /** The time limit for paying a debt, in milliseconds (IH-24). */
  gift_time: number;
  /** The number of pieces on the pad with which a player can't be put in the icehouse (IH-21). */
  safe: number;
  /** What a player is after, in a sentence. */
  goal: string;
  /** The colour of each seat. */
  colours: Colour[];
}

/** A piece on the field. */
export interface FieldPiece {
  /** Its id, which it keeps while it is there. */
  id: string;
  /** Its colour. */
  colour: Colour;
  /** Its size. */
  size: Size;
  /** Where it is, from the left edge of the field, in thousandths of an inch. */
  x: number;
  /** Where it is, from the bottom edge of the field, in thousandths of an inch. */
  y: number;
  /** Its direction in degrees, counter-clockwise from the right. */
  heading: number;
  /** Whether it stands. */
  standing: boolean;
  /** The id of the piece that it points at; null for none. */
  points_at: string | null;
  /** Whether it attacks the piece that it points at; null for standing pieces. */
  valid: boolean | null;
  /** Whether it is iced; null for lying pieces. */
  iced: boolean | null;
  /** Whether its victim is iced without it; null for standing pieces. */
  redundant: boolean | null;
}

/** The number of pieces of each size; absent sizes are left out. */
export interface SizeCounts {
  /** The small pieces. */
  S?: number;
  /** The medium pieces. */
  M?: number;
  /** The large pieces. */
  L?: number;
}

export type Pad = Record<string, SizeCounts>;

/** The view of every player and every watcher.

    `ready` and `in_icehouse` are seats. `pads` and `hands`, "L:red" or null, go by seat. `owed`: by seat in debt, the
    piece it crashed with, or null if it may choose. */
export interface View extends wire.View {
  /** The seats that are ready. */
  ready: number[];
  /** The pieces on the field, in the order of placing. */
  field: FieldPiece[];
  /** The pieces on each seat's pad. */
  pads: Pad[];
  /** The piece in each seat's hand, such as "L:red"; null for none. */
  hands: (string | null)[];
  /** The seats in the icehouse. */
  in_icehouse: number[];
  /** By seat in debt: the piece that it crashed with, or null if it may choose. */
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
