/** What a game brings to the table's page: its board and its words. */

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
  /** The seat of this browser that acts now; null: only looking. */
  acting: number | null;
  /** Its legal acts. */
  legal: string[];
  look: Look;
  /** A gesture made into an act, of `acting` or another seat of this browser. It may be illegal: the server says why. */
  onact: (text: string, seat?: number) => void;
  /** The last refusal, a new object each time. */
  fault: wire.Fault | null;
  /** What each legal act is worth to who is to act, where that is asked for and known. */
  verdicts?: Record<string, string | number> | undefined;
  /** What somebody at another browser has in hand before they act. */
  held?: wire.Held | null;
  /** Told what is in hand here: a word of a legal act. */
  onhold?: (what: string | null) => void;
  /** Told whether the frame is on show and nothing moves any more, or acts still play out. */
  onsettled: (settled: boolean) => void;
}

/** Keys that mean something on a game's board, apart by spaces, and what they do. */
export type Keys = readonly (readonly [keys: string, meaning: string])[];

/** The kinds of effects that are worth a jump when the game is watched again, and what to call them. */
export type Landmarks<W extends Wire> = Partial<Record<W['effect']['kind'], string>>;

export interface GameView<W extends Wire = Wire> {
  Board: Component<BoardProps<W>>;
  /** Beyond arrows, Enter and Escape. */
  keys: Keys;
  /** Whether it may be seen from the side as well as from above. */
  hasSides: boolean;
  /** As a game's `Landmarks` say. */
  landmarks: Record<string, string>;
  /** The whole position, spoken, in a few sentences. */
  describe: (layout: W['layout'], view: W['view'], seats: wire.Seat[]) => string;
  /** One act with its effects, spoken, in one sentence. */
  say: (layout: W['layout'], line: LineOf<W>, seats: wire.Seat[]) => string;
}
