/** What a game gives to the pages: its board and its words. */

import type { Component } from 'svelte';
import type { Look } from '../pieces/projection';
import type * as wire from '../wire';

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

export interface BoardProps<W extends Wire = Wire> {
  layout: W['layout'];
  frame: FrameOf<W>;
  seats: wire.Seat[];
  /** The seat of this browser that acts now; null: none. */
  acting: number | null;
  /** Its legal acts. */
  legal: string[];
  look: Look;
  /** Sends an act of `acting` or another seat of this browser. It can be illegal: the server says why. */
  onact: (text: string, seat?: number) => void;
  /** The last refusal, a new object each time. */
  fault: wire.Fault | null;
  /** The result of each legal act under perfect play, for the seat to act, where it is asked for and known. */
  verdicts?: Record<string, string | number> | undefined;
  /** The piece that a player at another browser has in hand. */
  held?: wire.Held | null;
  /** Called with what is in hand here: a word of a legal act. */
  onhold?: ((what: string | null) => void) | undefined;
  /** Called with whether the frame is on show and nothing moves any more. */
  onsettled: (settled: boolean) => void;
}

/** Keys of a game's board, separated by spaces, and what they do. */
export type Keys = readonly (readonly [keys: string, meaning: string])[];

/** The kinds of effects that a replay lists as events, and their names. */
export type Landmarks<W extends Wire> = Partial<Record<W['effect']['kind'], string>>;

export interface GameView<W extends Wire = Wire> {
  Board: Component<BoardProps<W>>;
  /** Beyond arrows, Enter and Escape. */
  keys: Keys;
  /** Whether it can be seen from the side as well as from above. */
  hasSides: boolean;
  /** The effects that a replay lists as events, and their names. */
  landmarks: Record<string, string>;
  /** The whole position, spoken, in a few sentences. */
  describe: (layout: W['layout'], view: W['view'], seats: wire.Seat[]) => string;
  /** One act with its effects, spoken, in one sentence. */
  say: (layout: W['layout'], line: LineOf<W>, seats: wire.Seat[]) => string;
}
