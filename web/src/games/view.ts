/** What a game brings to the table's page: its board and its words. */

import type { Component } from 'svelte';
import type { Look } from '../pieces/projection';
import type { Fault, Frame, Layout, Line, Seat, View } from '../wire';

export interface BoardProps {
  layout: Layout;
  frame: Frame;
  seats: Seat[];
  /** The seat of this browser that acts now; null: only looking. */
  acting: number | null;
  /** Its legal acts. */
  legal: string[];
  look: Look;
  /** A gesture made into an act. It may be one that is not legal: the server answers why. */
  onact: (text: string) => void;
  /** The last refusal, a new object each time. */
  fault: Fault | null;
}

export interface GameView {
  Board: Component<BoardProps>;
  /** The whole position, spoken, in a few sentences. */
  describe(layout: Layout, view: View, seats: Seat[]): string;
  /** One act with its effects, spoken, in one sentence. */
  say(layout: Layout, line: Line, seats: Seat[]): string;
}
