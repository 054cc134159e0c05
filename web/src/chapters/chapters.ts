/** What reviews are made of. */

import type * as wire from '../wire';

/** What a part of a review shows of a game, and how it leads to its positions. */
export interface Shown {
  seats: wire.Seat[];
  /** The number of the act after which the position on show arose. */
  current: number;
  onlook: (seq: number) => void;
  /** Brings the board into sight; undefined where it is. */
  onboard: (() => void) | undefined;
}

/** What the review of a game without turns is shown from. */
export interface ReviewProps<T = object> extends Shown {
  /** What the server tells of the game, in the game's own fields. */
  told: T;
}

/** A figure of each seat, in the table of a review. */
export interface Row {
  name: string;
  /** What it means, for players who have never seen it. */
  about: string;
  /** Of each seat. */
  figures: string[];
  /** It is the sum of those above. */
  sum?: boolean;
}
