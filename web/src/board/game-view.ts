/** The interface of games to the pages: their boards and their words. */

import type { Component } from 'svelte';
import type { Sound } from '../app/sounds';
import type { Look } from '../pieces/projection';
import type * as wire from '../wire';
import type { SoundOf } from './sounds';
import type { Plan, Space } from './spaces';

/** The types of a game's messages; each game has its own in the `wire.ts` of its folder. */
export interface Wire {
  layout: object;
  view: wire.View;
  effect: wire.Effect;
}

/** An act of a game. */
export interface LineOf<W extends Wire> extends wire.Line {
  effects: W['effect'][];
}

/** A position of a game and the act that led to it. */
export interface FrameOf<W extends Wire> extends wire.Frame {
  line: LineOf<W> | null;
  view: W['view'];
}

/** An act that the server has not answered yet. */
export interface Sent {
  id: string;
  seat: number;
  text: string;
}

export interface BoardProps<W extends Wire = Wire> {
  layout: W['layout'];
  frame: FrameOf<W>;
  seats: wire.Seat[];
  /** The seat of this browser that acts now; null: none. */
  acting: number | null;
  /** Its legal acts. */
  legal: string[];
  look: Look;
  /** The rotation of the board, in steps counter-clockwise as seen from above. */
  turn: number;
  /**
   * Sends an act of `acting` or another seat of this browser. It may be illegal: the server says why. `after`: the id
   * of an act in `sent`; if that is refused, so is this one.
   */
  onact: (text: string, seat?: number, after?: string) => void;
  /** The acts of this browser's seats that the server has not answered yet, in their order. */
  sent?: readonly Sent[];
  /**
   * Called if a choice at the board has no effect, with the reason and its rule; null: no seat of this browser can act
   * now.
   */
  onidle: (why: string | null, rule?: string) => void;
  /** Called with each choice that has an effect: the last refusal is no longer true. */
  onchoice?: () => void;
  /** Called with what the acting seat does next, in words; empty if there is nothing to say. */
  onstep?: ((words: string) => void) | undefined;
  /** The last refusal, a new object each time. */
  fault: wire.Fault | null;
  /** A layer over the pieces while nothing moves. */
  overlay?: Overlay | null;
  /** The piece that a player at another browser has in hand. */
  held?: wire.Held | null;
  /** Called with the piece in hand here: a word of a legal act. */
  onhold?: ((what: string | null) => void) | undefined;
  /** The positions of the others' hands over the board, by seat: a new object with each message. */
  aims?: Readonly<Record<number, wire.Aimed>>;
  /** Called with the position of a hand of this browser over the board, in units of the layout. */
  onaim?: (seat: number, at: [number, number] | null) => void;
  /** Called when these effects of an act become visible; without effects, at the start of the act. */
  onseen?: ((line: wire.Line, effects: wire.Effect[]) => void) | undefined;
  /** The game is paused. */
  paused?: boolean;
  /** The round-trip times of players to the server in milliseconds, by seat, if known. */
  lags?: Record<string, number>;
  /** The options of the table's game. */
  options?: Readonly<Record<string, unknown>>;
  /** A lesson beside the board says what to do, so the board gives newcomers no hints. */
  lesson?: boolean;
  /** The text beside the board: pieces that it names are marked. */
  about?: string;
  /**
   * Called with whether the frame is shown and nothing moves any more, the number of the act that is shown, and the
   * position that is seen: the one before that act as long as it moves.
   */
  onsettled: (settled: boolean, shown: number, seen: wire.View) => void;
}

/** An act that is highlighted on a board. */
export interface Hint {
  /** The unique key of the hint. */
  text: string;
  /** The space that a piece leaves; undefined if it comes from a supply. */
  from?: string;
  /** The piece that comes from a supply. */
  piece?: string;
  to?: string;
  /** Two pieces change places. */
  swap: boolean;
  /** The label on its target; may be empty. */
  label: string;
  rank: 'best' | 'good' | 'other' | 'played';
  /** The label that a review gives to an act that was played. */
  tone?: wire.ActLabel;
}

/** The props of a layer over a board. */
export interface LayerProps extends Plan {
  hints: Hint[];
  spaces: Space[];
  /** CSS pixels per unit of the picture. */
  scale: number;
}

/** A layer over a board, loaded when it is needed. */
export interface Overlay {
  Layer: Component<LayerProps>;
  hints: Hint[];
}

/** The props of the component that replaces the list of moves while a game hides them. */
export interface OverviewProps<W extends Wire = Wire> {
  layout: W['layout'];
  view: W['view'];
  seats: wire.Seat[];
}

/** Keys of a game's board, separated by spaces, and what they do. */
export type Keys = readonly (readonly [keys: string, meaning: string])[];

/** The kinds of effects that a replay lists as events, and their names. */
export type Landmarks<W extends Wire> = Partial<Record<W['effect']['kind'], string>>;

/** The sounds of a game's effects. `act`: the sound at the start of an act, whatever its effects. */
export type Sounds<W extends Wire> = {
  [K in W['effect']['kind']]?: SoundOf<Extract<W['effect'], { kind: K }>>;
} & { act?: (line: LineOf<W>) => Sound | null };

export interface GameView<W extends Wire = Wire> {
  Board: Component<BoardProps<W>>;
  /** For a game that hides its moves until it is over. */
  Overview?: Component<OverviewProps<W>>;
  /** Beyond arrows, Enter and Escape. */
  keys: Keys;
  /** Words for symbols in its acts, such as letters for pieces in a supply and sides of dice. */
  kinds?: Record<string, string>;
  /** Whether it can be seen from the side as well as from above. */
  hasSides: boolean;
  /** Whether there is chance in it: dice, a deal or the moment of a bell. */
  hasChance: boolean;
  /** The number of steps in a full turn of the board; 1: it can't be turned. */
  steps: (layout: W['layout']) => number;
  /** The turn with a seat's side at the bottom. */
  facing: (layout: W['layout'], seat: number) => number;
  /** The effects that a replay lists as events, and their names. */
  landmarks: Record<string, string>;
  sounds: Sounds<W>;
  /** The effect of the act that starts play; by default, play starts with the first act. */
  start?: string;
  /** Describes the position in a few sentences, for screen readers. */
  describe: (layout: W['layout'], view: W['view'], seats: wire.Seat[]) => string;
  /** Describes an act with its effects in one sentence. `roller`: the seat that rolls, if chance acts for one. */
  say: (layout: W['layout'], line: LineOf<W>, seats: wire.Seat[], roller?: number) => string;
  /**
   * An act in the list of moves, in a few words without its seat; null: it is not listed. `view`: the newest
   * position.
   */
  brief: (layout: W['layout'], line: LineOf<W>, seats: wire.Seat[], view: W['view']) => string | null;
  /** A symbol before the words of an act in the list of moves. */
  Sign?: Component<{ layout: W['layout']; line: LineOf<W> }>;
  /** Explains the result of a game that ended by its rules, in a sentence or two. */
  reason: (layout: W['layout'], view: W['view'], seats: wire.Seat[]) => string;
  /** For games without turns: whether the seats to act still have to get ready. */
  gathers?: (view: W['view']) => boolean;
  /** A better text for a refusal whose cause its player may not have seen; null: keep the text. */
  reword?: (layout: W['layout'], fault: wire.Fault, lines: readonly LineOf<W>[], seats: wire.Seat[]) => string | null;
  /** What happened during a loss of connection and can't be seen on the board; null: nothing. */
  missed?: (
    layout: W['layout'],
    lines: readonly LineOf<W>[],
    seats: wire.Seat[],
    before: W['view'],
    after: W['view'],
  ) => string | null;
}
