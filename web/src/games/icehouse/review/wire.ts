/** The review of Icehouse between server and browser. Written by tools/wire_types.py from icetable.games.icehouse.review.parts. */

export type Colour = 'red' | 'green' | 'blue' | 'yellow' | 'cyan' | 'orange' | 'purple' | 'white';

/** An interval. */
export interface Span {
  start: number;
  end: number;
}

/** The scores if the game had ended after an act (IH-33). */
export interface Standing {
  act: number;
  at: number;
  scores: number[];
}

/** An act that changed the scores, with its effects, and the points that each seat won or lost. */
export interface Change {
  act: number;
  at: number;
  seat: number;
  text: string;
  effects: string[];
  points: number[];
}

/** A defender was iced (IH-14).

    `seat` lost it, `by` iced it (None: it was iced from the beginning), and `attackers` are the colours of its
    attackers at that time. `points`: the points that each seat won or lost by it. `freed_by`: the seat that freed the
    piece; None if it stayed iced. `returned`: the points won or lost by that. `over`: when it was over-iced (IH-25). */
export interface Icing {
  piece: string;
  kind: string;
  seat: number;
  act: number;
  start: number;
  end: number;
  by: number | null;
  attackers: number[];
  points: number[];
  freed_by: number | null;
  returned: number[];
  over: Span[];
}

/** A free defender of a seat was in danger.

    One more attacker would have iced it, and another seat had one on its pad or in its hand: a piece of another colour
    that is large enough and may attack (IH-13). It also mattered: the defender was attacked already, or a call would
    have found its player without it (`last`). Room for the attacker is not considered. A seat in the icehouse is never
    in danger. `by`: the seats that had such a piece. `iced`: whether the danger ended with the icing. */
export interface Danger {
  piece: string;
  kind: string;
  seat: number;
  start: number;
  end: number;
  by: number[];
  last: boolean;
  iced: boolean;
}

/** A call of icehouse would have found a seat (IH-18), and each of `callers` could have made it at some time.

    A caller owes no piece, its calls are not void, and the call would not have found the caller as well. `found_by`:
    the seat that made the call; None if the chance was missed. */
export interface Chance {
  seat: number;
  start: number;
  end: number;
  callers: number[];
  found_by: number | null;
}

/** A call of icehouse: the seats that it found, and the number of pieces that the caller got (IH-19).

    `waited`: how long before a true call a seat that it found could have been found; None for other calls, and if
    nobody could have made one. */
export interface Call {
  act: number;
  at: number;
  seat: number;
  verdict: 'true' | 'false' | 'void';
  found: number[];
  pieces: number;
  waited: number | null;
}

/** A call of meltdown on the colour of a seat, and the pieces that were returned; none if it was in vain (IH-13). */
export interface Meltdown {
  act: number;
  at: number;
  seat: number;
  colour: number;
  pieces: string[];
}

/** A seat took an attacker of the seat `owner` prisoner (IH-27). */
export interface Capture {
  act: number;
  at: number;
  seat: number;
  piece: string;
  kind: string;
  owner: number;
}

/** A seat crashed with a piece (IH-30). */
export interface Crash {
  act: number;
  at: number;
  seat: number;
  kind: string;
}

/** A lying piece of a seat that scored nothing at the end (IH-15).

    `by`: the seat that placed it; None if it was there from the beginning. `valid`: it attacked a defender that was not
    iced. */
export interface Wasted {
  piece: string;
  kind: string;
  seat: number;
  by: number | null;
  valid: boolean;
}

/** The gains and losses of a seat, which add up to its score.

    `stood`: defenders that were placed. `iced` and `freed`: defenders that stopped scoring, and that scored again.
    `attacked`: attackers that began to score. `spoilt`: attackers that stopped scoring, as their targets were freed, or
    they were captured, melted down or blocked. `icehouse`: the loss by the icehouse. */
export interface Account {
  stood: number;
  iced: number;
  freed: number;
  attacked: number;
  spoilt: number;
  icehouse: number;
}

/** The statistics of a seat.

    Numbers of pieces: `placed`; `attacks`, those placed to attack; `wasted`, the attacks that scored nothing at the
    end; `taken` and `prisoners`, the prisoners taken and placed; `given`, those given away. Durations: `open`, when a
    call could have found it; `endangered`, when any of its defenders was in danger.

    `acts`: the number of its acts since play began. `pause` and `longest_pause`: the mean and the longest interval
    between them, counting that from the start of play to the first. `answer`: the mean time from a hit to the answer. A
    hit is an act of another seat that ices a defender of this one; the answer is this one's next placement or capture.
    `quickest`: the shortest time in which it placed five pieces in a row. Times are None if there were none. */
export interface Seat {
  score: number;
  account: Account;
  placed: number;
  attacks: number;
  wasted: number;
  taken: number;
  prisoners: number;
  given: number;
  crashes: number;
  open: number;
  endangered: number;
  acts: number;
  pause: number | null;
  longest_pause: number | null;
  quickest: number | null;
  answer: number | null;
}

/** The review of a game. `began`: when the last seat was ready. `course` begins before all acts.

    `ended_by`: a rule, or "resign", "time" or "draw" if the game did not end by its rules.

    `chances` includes those that a call took. */
export interface Review {
  colours: Colour[];
  began: number;
  ended: number;
  ended_by: string;
  winners: number[];
  seats: Seat[];
  course: Standing[];
  changes: Change[];
  icings: Icing[];
  dangers: Danger[];
  chances: Chance[];
  calls: Call[];
  meltdowns: Meltdown[];
  captures: Capture[];
  crashes: Crash[];
  wasted: Wasted[];
}
