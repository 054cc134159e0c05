/** What a game brings to the table's page: its board and its words. */

import type { Component } from 'svelte';
import type { Look } from '../pieces/projection';
import type { Fault, Frame, Held, Layout, Line, Seat, View } from '../wire';

export interface BoardProps {
  layout: Layout;
  frame: Frame;
  seats: Seat[];
  /** The seat of this browser that acts now; null: only looking. */
  acting: number | null;
  /** Its legal acts. */
  legal: string[];
  look: Look;
  /** A gesture made into an act, of `acting` or another seat of this browser. It may be illegal: the server says why. */
  onact: (text: string, seat?: number) => void;
  /** The last refusal, a new object each time. */
  fault: Fault | null;
  /** What each legal act is worth to who is to act, where that is asked for and known. */
  verdicts?: Record<string, string | number> | undefined;
  /** What somebody at another browser has in hand before they act. */
  held?: Held | null;
  /** Told what is in hand here: a word of a legal act. */
  onhold?: ((what: string | null) => void) | undefined;
  /** Told whether the frame is on show and nothing moves any more, or acts still play out. */
  onsettled: (settled: boolean) => void;
}

/** Keys that mean something on a game's board, apart by spaces, and what they do. */
export type Keys = readonly (readonly [keys: string, meaning: string])[];

export interface GameView {
  Board: Component<BoardProps>;
  /** Beyond arrows, Enter and Escape. */
  keys: Keys;
  /** Whether it may be seen from the side as well as from above. */
  hasSides: boolean;
  /** The effects that are worth a jump when the game is watched again, and what to call them. */
  landmarks: Record<string, string>;
  /** The whole position, spoken, in a few sentences. */
  describe(layout: Layout, view: View, seats: Seat[]): string;
  /** One act with its effects, spoken, in one sentence. */
  say(layout: Layout, line: Line, seats: Seat[]): string;
}
