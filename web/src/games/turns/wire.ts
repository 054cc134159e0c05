/** Any game of turns between server and browser. Written by tools/wire_types.py from icetable.workshop.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Beside = 'supplies' | 'pieces' | 'points' | 'nothing';

export type Motion = 'put' | 'move' | 'path' | 'leap' | 'swap' | 'take' | 'fall' | 'turn' | 'roll' | 'open' | '';

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

/** The words, the motion and the sound of a kind of effect, as in `icetable.workshop.look.Says`. */
export interface EffectLook {
  sentence: string;
  brief: string;
  motion: Motion;
  sound: string;
  event: string;
}

/** The board, and the words of the game. Rows of hexagons are 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from the
    right; one that varies has an entry per space, as in "on r1". `beside`: what a seat can have beside the board: a
    supply, any pieces, only points, or nothing. `kinds`: the kinds of pieces by their letter or name, in the order of
    supplies. `effects`: by kind. `turn_limit`: the game ends after this many turns. The others are parts that a game
    asks for in its `Look`. */
export interface Layout {
  shape: 'square' | 'hexagon' | 'circle';
  spaces: Space[];
  lines: [string, string][];
  headings: Record<string, number>;
  beside: Beside;
  kinds: Record<string, Kind>;
  effects: Record<string, EffectLook>;
  turn_limit?: number;
  repeats?: boolean;
  tall?: boolean;
  covers?: boolean;
  counts?: string;
}

/** A piece. `kind`: the letter of a pyramid's size, or a token's name; that of a die ends with its face, as in "C3".

    `colour`: its seat, or the name of any other colour. `heading`: the direction of a pyramid that lies. */
export interface Piece {
  kind: string;
  colour: number | string;
  heading?: string;
}

/** Equal pieces on a pad. */
export interface Pile {
  kind: string;
  colour: number | string;
  heading?: string;
  count: number;
}

/** What a space is worth now, as in `icetable.workshop.look.Account`. */
export interface Account {
  counts: number[];
  owner: number | null;
  points: number;
  number: number | null;
}

/** The view of every player and every watcher.

    `stacks`: the pieces by space, from the bottom up. `pads`: those in front of each seat. `asked`: the seats that have
    yet to choose in secret. `own`: the game's own values. `prompt`: what the seat to act does now; `reason`: why the
    game ended like this; both with the words of `icetable.workshop.look`, and empty for the defaults. `accounts`: by
    space. `pool`: the numbers that lie beside the board. */
export interface View extends wire.View {
  stacks: Record<string, Piece[]>;
  pads: Pile[][];
  turn: number;
  out: number[];
  asked: number[];
  own: Record<string, unknown>;
  prompt: string;
  reason: string;
  accounts?: Record<string, Account>;
  pool?: number[];
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
