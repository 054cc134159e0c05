/** Props and types of the chapters of reviews. */

import type * as wire from '../wire';

export interface ChapterProps {
  seats: wire.Seat[];
  /** The number of acts before the position shown. */
  current: number;
  /** Shows the position after `seq` acts. */
  onlook: (seq: number) => void;
  /** Scrolls to the board; undefined if it is visible. */
  onboard: (() => void) | undefined;
}

/** Props of a review of a game without turns. */
export interface ReviewProps<T = object> extends ChapterProps {
  /** The review from the server, in the game’s own format. */
  told: T;
}

/** A row in the table of a review, with a figure for each seat. */
export interface Row {
  name: string;
  /** Explains the figure to newcomers. */
  about: string;
  figures: string[];
  /** The row is the sum of those above. */
  sum?: boolean;
}
