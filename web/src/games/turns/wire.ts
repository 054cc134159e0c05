/** Any game of turns between server and browser. Written by tools/wire_types.py from icetable.workshop.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Area = 'inside' | 'edges';

export type Beside = 'supplies' | 'pieces' | 'points' | 'nothing';

export type Ground = 'ice' | 'lilies';

export type Motion = 'put' | 'move' | 'path' | 'leap' | 'swap' | 'take' | 'throw' | 'fall' | 'turn' | 'roll' | 'open' | '';

export type Size = 'S' | 'M' | 'L';

/** A space; `x` and `y` are in steps to the right and up. `zone`: the seat that it belongs to, or another number. */
export interface Space {
  name: string;
  x: number;
  y: number;
  zone: number | null;
  colour: string | null;
}

/** A kind of pieces: its name, for one and for several. `size`: of pyramids. `colours`: by seat, those of pieces
    that bear its mark. `sides`: of dice. */
export interface Kind {
  name: string;
  plural: string;
  size?: Size;
  colours?: string[][];
  sides?: number;
}

/** A shape on the board, as in `icetable.workshop.look.Shape`. */
export interface Shape {
  by: string;
  lit: Record<string, Area>;
}

/** A side of a die or a coin, as in `icetable.workshop.look.Face`. */
export interface Face {
  words: string;
  sign: string;
  caption: string;
  about: string;
}

/** A die or a coin beside the board, which shows one of the game's own values by the face of that name. */
export interface Shows {
  form: 'die' | 'coin';
  faces: Record<string, Face>;
}

/** Acts of a second kind, as in `icetable.workshop.look.Apart`. */
export interface Apart {
  sign: string;
  words: string;
  brief: string;
}

/** Places on each pad, of which so many are taken as the list `of` among the game's own values says. */
export interface Tally {
  of: string;
  places: number;
}

/** The words about threats, as in `icetable.workshop.look.Help`. */
export interface Help {
  shape: string;
  lamp: string;
}

/** The words, the motion and the sound of a kind of effect, as in `icetable.workshop.look.Says`. */
export interface EffectLook {
  sentence: string;
  brief: string;
  motion: Motion;
  sound: string;
  event: string;
  shape?: Shape;
}

/** The words of an act that names no spaces, as in `icetable.workshop.look.ActSays`. */
export interface ActLook {
  label: string;
  sentence: string;
  brief: string;
  key: string;
}

/** The board, and the words of the game. Rows of hexagons are 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from
    the right; one that varies has an entry per space, as in "on r1". `beside`: what a seat can have beside the
    board: a supply, any pieces, only points, or nothing. `kinds`: the kinds of pieces by their letter or name, in
    the order of supplies. `effects`: by kind, or by kind and value. `forward`: the headings of arrows on the spaces
    of zones. `turn_limit`: the game ends after this many turns. `explains`: refusals say more than that an act is
    not legal. `rule`: the rule that says what a turn does. `teams`: the seats that win together. The others are parts
    that a game asks for in its `Look`. */
export interface Layout {
  shape: 'square' | 'hexagon' | 'circle';
  spaces: Space[];
  lines: [string, string][];
  headings: Record<string, number>;
  beside: Beside;
  kinds: Record<string, Kind>;
  effects: Record<string, EffectLook>;
  forward?: Record<string, string>;
  turn_limit?: number;
  goal?: string;
  around?: boolean;
  ground?: Ground;
  tall?: boolean;
  covers?: boolean;
  counts?: string;
  lands?: string;
  repeats?: boolean;
  facts?: string[];
  banks?: Record<string, string>;
  teams?: number[][];
  shows?: Record<string, Shows>;
  tally?: Tally;
  help?: Help;
  acts?: Record<string, ActLook>;
  explains?: boolean;
  rule: string;
  apart?: Apart;
  zone?: string;
}

/** A part of the turn that is being played, as in `icetable.workshop.look.TurnPart`. */
export interface TurnPart {
  name: string;
  now: 'to do' | 'optional' | 'done' | 'not possible';
  is_apart?: boolean;
}

/** What a seat could do with one act, as in `icetable.workshop.look.Threat`. */
export interface Threat {
  seat: number;
  corners: string[];
  missing: string;
  prey: string[];
  chance: string;
  aim: string;
}

/** What a space is worth now, as in `icetable.workshop.look.Account`. Without `owner` nobody scores. */
export interface Account {
  counts: number[];
  owner?: number;
  points?: number;
  number?: number;
}

/** The view of every player and every watcher. An entry is left out if it is empty, or if the game has no such part.

    Pieces are texts, as in effects: the seat or the colour, and the kind, which is the letter of a pyramid's size or a
    token's name. "0L" is a large pyramid of seat 0; "redM>ne" is red, lies and points northeast; "1C3" is a die that
    shows 3; "0L:red" is seat 0's red one, where seats have several colours; "greyhidden" a piece that the viewer does
    not see; "(gold)stone" has a colour that pages don't know.

    `stacks`: the pieces by space, from the bottom up. `pads`: those in front of each seat, with their numbers. `out`:
    the seats that are out of the game. `asked`: the seats that have yet to choose in secret. `own`: the game's own
    values, as far as they are shown. `prompt`: what the seat to act does now; `reason`: why the game ended like this;
    both with the words of `icetable.workshop.look`. `goals`: the spaces that win for the seat to act if it gets there
    or, when the game is over, that have won. `accounts`: by space. `pool`: the numbers that lie beside the board.
    `turn_of`: the seat whose turn it is while chance acts. `gone`: the spaces that are not there now. `marks`: the
    texts of lit spaces. `labels`: acts with the words of their buttons, in order. `banks`: the pads that belong to
    nobody, by name. */
export interface View extends wire.View {
  stacks: Record<string, string[]>;
  turn: number;
  pads?: Record<string, number>[];
  out?: number[];
  asked?: number[];
  own?: Record<string, unknown>;
  prompt?: string;
  reason?: string;
  goals?: string[];
  accounts?: Record<string, Account>;
  pool?: number[];
  gone?: string[];
  marks?: Record<string, string>;
  labels?: [string, string][];
  banks?: Record<string, Record<string, number>>;
  turn_of?: number;
  turn_parts?: TurnPart[];
  threats?: Threat[];
}

/** An effect. Its kind is one of the layout's `effects`. */
export interface AnyEffect {
  kind: string;
  spaces: string[];
  value: number | string | null;
}

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
