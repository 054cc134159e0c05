/** Who's On The Squad? between server and browser. Written by tools/wire_types.py from icetable.games.squad.view. */

import type * as wire from '../../wire';
import type { LineOf } from '../../board/game-view';

export type Kind = 'F' | 'S' | 'J';

/** A square. `captains`: a captain may begin here. */
export interface Square {
  name: string;
  x: number;
  y: number;
  captains: boolean;
}

/** The board: `board` squares per side. `best_alone`: the best possible score of a single player, if known. */
export interface Layout {
  players: number;
  board: number;
  squares: Square[];
  best_alone: number | null;
}

/** A seat's captain: its square, null before it is placed, and the face of its die. */
export interface Captain {
  seat: number;
  square: string | null;
  face: number;
}

/** What ended the game: `seat` has placed its last friend, or has no square for any of its friends. */
export interface End {
  seat: number;
  kind: 'last-friend' | 'no-square';
}

/** The view of every player and watcher.

    `friends`: the pyramids by square, as "1S", seat and kind. `captains` and `supply`, the friends not yet placed, are
    indexed by seat. `end` is null until the game is over. */
export interface View extends wire.View {
  friends: Record<string, string>;
  captains: Captain[];
  supply: Record<Kind, number>[];
  turn: number;
  end: End | null;
}

/** A captain is placed on this square; `value` is "0C", with its seat. */
export interface CaptainPlaced {
  kind: 'captain';
  spaces: [string];
  value: string;
}

/** A friend is placed on this square; `value` is "0S", its seat and kind. */
export interface Formation {
  kind: 'formation';
  spaces: [string];
  value: string;
}

/** A captain leaps from the first square over the second to the third.

    `value` is "1C3": its seat, and its new face. */
export interface Stunt {
  kind: 'stunt';
  spaces: [string, string, string];
  value: string;
}

/** The friend on this square falls; `value` is "0F", its seat and kind. */
export interface Fall {
  kind: 'fall';
  spaces: [string];
  value: string;
}

export type AnyEffect = CaptainPlaced | Formation | Stunt | Fall;

/** All of these together, for the board and for the registry. */
export interface Wire {
  layout: Layout;
  view: View;
  effect: AnyEffect;
}

export type Line = LineOf<Wire>;
