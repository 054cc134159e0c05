/** What a game gives to the pages: its board and its words. */

import type { Component } from 'svelte';
import type { Sound } from '../app/sounds';
import type { Look } from '../pieces/projection';
import type * as wire from '../wire';
import type { SoundOf } from './sounds';
import type { Plan, Space } from './spaces';

/** The types of what the server tells of a game; each game's are in the `wire.ts` of its folder. */
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
  /** How far the board is turned: so many of its steps counter-clockwise, as seen from above. */
  turn: number;
  /**
   * Sends an act of `acting` or another seat of this browser. It can be illegal: the server says why. `after`: the id of
   * an act in `sent`; if that is refused, so is this one.
   */
  onact: (text: string, seat?: number, after?: string) => void;
  /** The acts of this browser's seats that the server has not answered yet, in their order. */
  sent?: readonly Sent[];
  /** Says why nothing came of a choice at the board; null: because no seat of this browser can act now. */
  onidle: (why: string | null) => void;
  /** The last refusal, a new object each time. */
  fault: wire.Fault | null;
  /** What lies over the pieces while nothing moves. */
  overlay?: Overlay | null;
  /** The piece that a player at another browser has in hand. */
  held?: wire.Held | null;
  /** Called with what is in hand here: a word of a legal act. */
  onhold?: ((what: string | null) => void) | undefined;
  /** Where over the board the others have their hands, by seat: a new object each time that it is told. */
  aims?: Readonly<Record<number, wire.Aimed>>;
  /** Called with where a hand of this browser is over the board, in units of the layout. */
  onaim?: (seat: number, at: [number, number] | null) => void;
  /** Called when these effects of an act are seen; with none of them, as the act begins. */
  onseen?: ((line: wire.Line, effects: wire.Effect[]) => void) | undefined;
  /** Time stands still. */
  paused?: boolean;
  /** How long messages of players take to the server and back, in milliseconds, by seat, where it is known. */
  lags?: Record<string, number>;
  /** A lesson beside the board says what to do: the board gives newcomers no hints of its own. */
  lesson?: boolean;
  /** What is said beside the board: pieces that it names are marked. */
  about?: string;
  /** Called with whether the frame is on show and nothing moves any more. */
  onsettled: (settled: boolean) => void;
}

/** An act that is pointed out on a board. */
export interface Hint {
  /** Its own name among all hints. */
  text: string;
  /** The space that a piece leaves; undefined where it comes from a supply. */
  from?: string;
  /** Which piece comes from a supply. */
  piece?: string;
  to?: string;
  /** Two pieces change places. */
  swap: boolean;
  /** What stands on its target; empty: nothing. */
  label: string;
  rank: 'best' | 'good' | 'other' | 'played';
  /** What a review calls an act that was played. */
  tone?: wire.ActLabel;
}

/** What a layer over a board knows of it. */
export interface LayerProps extends Plan {
  hints: Hint[];
  spaces: Space[];
  /** How many CSS pixels a unit of the picture has. */
  scale: number;
}

/** A layer over a board, which is loaded where it is needed. */
export interface Overlay {
  Layer: Component<LayerProps>;
  hints: Hint[];
}

/** What a game shows beside the board in place of moves that it hides. */
export interface OverviewProps<W extends Wire = Wire> {
  layout: W['layout'];
  view: W['view'];
  seats: wire.Seat[];
}

/** Keys of a game's board, separated by spaces, and what they do. */
export type Keys = readonly (readonly [keys: string, meaning: string])[];

/** The kinds of effects that a replay lists as events, and their names. */
export type Landmarks<W extends Wire> = Partial<Record<W['effect']['kind'], string>>;

/** The sounds that the effects of a game make. `act`: what is heard as an act begins, whatever comes of it. */
export type Sounds<W extends Wire> = {
  [K in W['effect']['kind']]?: SoundOf<Extract<W['effect'], { kind: K }>>;
} & { act?: (line: LineOf<W>) => Sound | null };

export interface GameView<W extends Wire = Wire> {
  Board: Component<BoardProps<W>>;
  /** Where a game hides its moves until it is over. */
  Overview?: Component<OverviewProps<W>>;
  /** Beyond arrows, Enter and Escape. */
  keys: Keys;
  /** The words for what its acts name: pieces of a supply by letters, sides of dice. */
  kinds?: Record<string, string>;
  /** Whether it can be seen from the side as well as from above. */
  hasSides: boolean;
  /** Whether dice, a deal or the moment of a bell decide in it. */
  hasChance: boolean;
  /** How many steps turn the board once; 1: it can't be turned. */
  steps: (layout: W['layout']) => number;
  /** The turn that puts a seat's side below. */
  facing: (layout: W['layout'], seat: number) => number;
  /** The effects that a replay lists as events, and their names. */
  landmarks: Record<string, string>;
  /** What is heard of its acts. */
  sounds: Sounds<W>;
  /** The effect of the act with which play starts; without one it starts with the first act. */
  start?: string;
  /** The whole position, spoken, in a few sentences. */
  describe: (layout: W['layout'], view: W['view'], seats: wire.Seat[]) => string;
  /** One act with its effects, spoken, in one sentence. */
  say: (layout: W['layout'], line: LineOf<W>, seats: wire.Seat[]) => string;
  /**
   * One act in the list of moves, in a few words without its seat; null: it is not worth a line. `view`: the newest
   * position.
   */
  brief: (layout: W['layout'], line: LineOf<W>, seats: wire.Seat[], view: W['view']) => string | null;
  /** What the list of moves draws of an act before its few words. */
  Sign?: Component<{ line: LineOf<W> }>;
  /** Why a game that its rules have ended came out as it did, in a sentence or two. */
  reason: (layout: W['layout'], view: W['view'], seats: wire.Seat[]) => string;
  /** Where all play at once: whether the seats to act have yet to be ready. */
  gathers?: (view: W['view']) => boolean;
  /** A refusal in better words, where something that its player may not have seen is the cause; null: it says it all. */
  reword?: (layout: W['layout'], fault: wire.Fault, lines: readonly LineOf<W>[], seats: wire.Seat[]) => string | null;
  /** What passed while the line was down and can't be seen on the board; null: nothing. */
  missed?: (
    layout: W['layout'],
    lines: readonly LineOf<W>[],
    seats: wire.Seat[],
    before: W['view'],
    after: W['view'],
  ) => string | null;
}
