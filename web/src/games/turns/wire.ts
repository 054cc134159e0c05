/** Any game of turns between server and browser. Written by tools/wire_types.py from icetable.workshop.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Area = 'inside' | 'edges';

export type Beside = 'supplies' | 'pieces' | 'points' | 'nothing';

export type Ground = 'ice' | 'lilies';

export type Motion = 'put' | 'move' | 'path' | 'leap' | 'swap' | 'take' | 'throw' | 'fall' | 'turn' | 'roll' | 'open' | '';

export type Size = 'S' | 'M' | 'L';

/** A space of the board. */
export interface Space {
  /** Its name, as in acts. */
  name: string;
  /** The steps to the right. */
  x: number;
  /** The steps up. */
  y: number;
  /** The seat that it belongs to, or another number; null for no zone. */
  zone: number | null;
  /** The name of its colour; null for that of the board. */
  colour: string | null;
}

/** A kind of pieces. */
export interface Kind {
  /** Its name, for one. */
  name: string;
  /** Its name, for several. */
  plural: string;
  /** The size of pyramids; left out for other pieces. */
  size?: Size;
  /** By seat: the colours of the pieces that bear its mark. */
  colours?: string[][];
  /** The number of sides of dice; left out for other pieces. */
  sides?: number;
}

/** A shape on the board, as in `icetable.workshop.look.Shape`. */
export interface Shape {
  /** One of the game's own values, whose change is an effect of the same name; empty for none. */
  by: string;
  /** What is lit up for each value that it can have before the act. */
  lit: Record<string, Area>;
}

/** A side of a die or a coin, as in `icetable.workshop.look.Face`. */
export interface Face {
  /** Its name in sentences. */
  words: string;
  /** What is drawn on it. */
  sign: string;
  /** The words beside it where there is little room, or nothing is said about it. */
  caption: string;
  /** What it lets a player do, in a sentence; empty for nothing. */
  about: string;
}

/** A die or a coin beside the board, which shows one of the game's own values by the face of that name. */
export interface Shows {
  /** Whether it is a die or a coin. */
  form: 'die' | 'coin';
  /** The faces, by the value that shows them. */
  faces: Record<string, Face>;
}

/** Acts of a second kind, as in `icetable.workshop.look.Apart`. */
export interface Apart {
  /** The sign that they begin with. */
  sign: string;
  /** What is added to their descriptions. */
  words: string;
  /** What precedes them in the list of moves. */
  brief: string;
}

/** Places on each pad, of which so many are taken as a list of the game's own values says. */
export interface Tally {
  /** The name of that value. */
  of: string;
  /** The number of places. */
  places: number;
}

/** The words about threats, as in `icetable.workshop.look.Help`. */
export interface Help {
  /** The name of a threat's shape. */
  shape: string;
  /** What the switch does. */
  lamp: string;
  /** What it says of a position without threats. */
  none: string;
}

/** The words, the motion and the sound of a kind of effect, as in `icetable.workshop.look.Says`. */
export interface EffectLook {
  /** A clause of the sentence that describes the act; empty: not mentioned. */
  sentence: string;
  /** A few words for the list of moves; empty: not mentioned. */
  brief: string;
  /** The motion of the pieces; empty for none. */
  motion: Motion;
  /** The name of a sound; empty for none. */
  sound: string;
  /** The name under which a replay lists the effect; empty: it does not. */
  event: string;
  /** The shape that the effect draws on the board; left out if it draws none. */
  shape?: Shape;
}

/** The words of an act that names no spaces, as in `icetable.workshop.look.ActSays`. */
export interface ActLook {
  /** The words on its button. */
  label: string;
  /** The first clause of the sentence that describes it. */
  sentence: string;
  /** In the list of moves; empty: it is not listed if nothing follows from it. */
  brief: string;
  /** A letter that presses the button; empty for none. */
  key: string;
}

/** The board, and the words of the game. Rows of hexagons are 0.866 steps apart; `y` counts them.

    The parts that a game asks for in its `Look` are left out if it doesn't. */
export interface Layout {
  /** The shape of a space. */
  shape: 'square' | 'hexagon' | 'circle';
  /** All spaces. */
  spaces: Space[];
  /** Pairs of spaces with a line between them. */
  lines: [string, string][];
  /** The directions in degrees, counter-clockwise from the right; one that varies has an entry per space, as in "on r1". */
  headings: Record<string, number>;
  /** What a seat can have beside the board: a supply, any pieces, only points, or nothing. */
  beside: Beside;
  /** The kinds of pieces by their letter or name, in the order of supplies. */
  kinds: Record<string, Kind>;
  /** The looks of effects, by kind, or by kind and value. */
  effects: Record<string, EffectLook>;
  /** By zone: the heading of the arrows on its spaces. */
  forward?: Record<string, string>;
  /** The number of turns after which the game ends; left out if there is none. */
  turn_limit?: number;
  /** What a player is after, in a sentence. */
  goal?: string;
  /** The goal as a drawing, by rows: "1" for a piece of the player's own, "2" for another's, "x" for another's that is taken, "." for an empty space. */
  drawing?: string[];
  /** Whether what players have beside the board stands around it, near their zones. */
  around?: boolean;
  /** What spaces look like; left out if they are plates of ice. */
  ground?: Ground;
  /** Whether stacks grow tall: spaces lie apart, and the pieces of closed stacks are counted. */
  tall?: boolean;
  /** Whether a cover lies on each space until an account shows the number under it. */
  covers?: boolean;
  /** What the accounts of spaces count, such as "pip". */
  counts?: string;
  /** What is said when landing on a piece ends a move; left out if it doesn't. */
  lands?: string;
  /** Whether the size placed last stays in hand for the next turn. */
  repeats?: boolean;
  /** The game's own values that are shown beside the board; left out if all are. */
  facts?: string[];
  /** The titles of the pads that belong to nobody, by name. */
  banks?: Record<string, string>;
  /** The seats that win together. */
  teams?: number[][];
  /** The dice and coins beside the board, by the name of their value. */
  shows?: Record<string, Shows>;
  /** The places on each pad. */
  tally?: Tally;
  /** The words about threats. */
  help?: Help;
  /** The looks of acts that name no spaces. */
  acts?: Record<string, ActLook>;
  /** Whether refusals say more than that an act is not legal. */
  explains?: boolean;
  /** The id of the rule that says what a turn does. */
  rule: string;
  /** The acts of a second kind. */
  apart?: Apart;
  /** The name of a zone of a seat, as in "Ann's zone"; left out if it is "zone". */
  zone?: string;
}

/** A part of the turn that is being played, as in `icetable.workshop.look.TurnPart`. */
export interface TurnPart {
  /** Its name. */
  name: string;
  /** How far it is. */
  now: 'to do' | 'optional' | 'done' | 'not possible';
  /** Whether it is made by acts that are `Apart`. */
  is_apart?: boolean;
}

/** What a seat could do with one act, as in `icetable.workshop.look.Threat`. */
export interface Threat {
  /** The seat. */
  seat: number;
  /** The spaces of the shape. */
  corners: string[];
  /** The space that the shape lacks. */
  missing: string;
  /** The spaces of the pieces that it would take. */
  prey: string[];
  /** A sentence for that seat. */
  chance: string;
  /** A few words about the missing space. */
  aim: string;
  /** How that space can be reached. */
  means: string;
}

/** What a space is worth now, as in `icetable.workshop.look.Account`. */
export interface Account {
  /** What each seat has there. */
  counts: number[];
  /** The seat that scores by these counts; left out if nobody does. */
  owner?: number;
  /** The points that the owner scores. */
  points?: number;
  /** The number that lay hidden on the space, once it is shown. */
  number?: number;
}

/** The view of every player and every watcher. An entry is left out if it is empty, or if the game has no such part.

    Pieces are texts, as in effects: the seat or the colour, and the kind, which is the letter of a pyramid's size or a
    token's name. "0L" is a large pyramid of seat 0; "redM>ne" is red, lies and points northeast; "1C3" is a die that
    shows 3; "0L:red" is seat 0's red one, where seats have several colours; "greyhidden" a piece that the viewer does
    not see; "(gold)stone" has a colour that pages don't know.

    Texts have the words of `icetable.workshop.look`. */
export interface View extends wire.View {
  /** The pieces by space, from the bottom up. */
  stacks: Record<string, string[]>;
  /** The number of the turn, from 0. */
  turn: number;
  /** The pieces in front of each seat, with their numbers. */
  pads?: Record<string, number>[];
  /** The seats that are out of the game. */
  out?: number[];
  /** The seats that have yet to choose in secret. */
  asked?: number[];
  /** The game's own values, as far as they are shown. */
  own?: Record<string, unknown>;
  /** What the seat to act does now. */
  prompt?: string;
  /** Why the game ended like this. */
  reason?: string;
  /** The spaces that win for the seat to act if it gets there or, when the game is over, that have won. */
  goals?: string[];
  /** What each space is worth. */
  accounts?: Record<string, Account>;
  /** The numbers that lie beside the board. */
  pool?: number[];
  /** The spaces that are not there now. */
  gone?: string[];
  /** The texts of lit spaces. */
  marks?: Record<string, string>;
  /** Acts with the words of their buttons, in order. */
  labels?: [string, string][];
  /** The pieces on the pads that belong to nobody, by name of the pad. */
  banks?: Record<string, Record<string, number>>;
  /** The seat whose turn it is while chance acts. */
  turn_of?: number;
  /** The parts of the turn. */
  turn_parts?: TurnPart[];
  /** What seats could do with one act. */
  threats?: Threat[];
}

/** An effect. Its kind is one of the layout's `effects`. */
export interface AnyEffect {
  /** One of the layout's `effects`. */
  kind: string;
  /** The spaces concerned. */
  spaces: string[];
  /** What the kind needs beside the spaces; null for nothing. */
  value: number | string | null;
}

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
