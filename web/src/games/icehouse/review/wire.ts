/** The review of Icehouse between server and browser. Written by tools/wire_types.py from icetable.games.icehouse.review.parts. */

export type Colour = 'red' | 'green' | 'blue' | 'yellow' | 'cyan' | 'orange' | 'purple' | 'white';

/** From when on something held, and when it held no more. */
export interface Span {
  start: number;
  end: number;
}

/** What each seat would have scored if the game had ended after an act (IH-33). */
export interface Standing {
  act: number;
  at: number;
  scores: number[];
}

/** An act that changed the scores: whose it was, what it caused, and how many points each seat won or lost. */
export interface Change {
  act: number;
  at: number;
  seat: number;
  text: string;
  effects: string[];
  points: number[];
}

/** A defender was iced (IH-14).

    `seat` has lost it, `by` has done it (None: it was iced from the beginning), and `attackers` are the colours of its
    attackers at that time, one for each. `points` is what it brought and cost each seat. `freed_by`: who freed the
    piece; None where it stayed iced. `returned`: the points of that. `over`: while it was over-iced (IH-25). */
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

    One more attacker would have iced it, and another seat had one to play: on its pad or in its hand lay a piece that
    is worth enough, has another colour, and may attack (IH-13). And it mattered: the defender was attacked already, or
    a call would have found its player without it (`last`). Whether there was room for the attacker is not asked. A seat
    in the icehouse has nothing to lose. `by`: the seats that had such a piece. `iced`: whether that ended the danger. */
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

/** A call of icehouse would have found a seat (IH-18), and `callers` could have made it at some time.

    A caller owes no piece, its calls are not void, and the call would not have found the caller as well. `found_by`:
    who made the call in the end; with None the chance was missed. */
export interface Chance {
  seat: number;
  start: number;
  end: number;
  callers: number[];
  found_by: number | null;
}

/** A call of icehouse: the seats that it found, and how many pieces it brought (IH-19).

    `waited`: how long a seat that it found could have been found before; None for any other than a true call, and
    where nobody could have made one. */
export interface Call {
  act: number;
  at: number;
  seat: number;
  verdict: 'true' | 'false' | 'void';
  found: number[];
  pieces: number;
  waited: number | null;
}

/** A call of meltdown on the colour of a seat, and the pieces that went back; none where it was in vain (IH-13). */
export interface Meltdown {
  act: number;
  at: number;
  seat: number;
  colour: number;
  pieces: string[];
}

/** A seat took an attacker prisoner (IH-27), a piece of the seat `owner`. */
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

/** A lying piece that was worth nothing at the end (IH-15): a piece of the seat `seat`, played by `by`.

    `by` is None where it lay there from the beginning. `valid`: it attacked a defender, but that was not iced. */
export interface Wasted {
  piece: string;
  kind: string;
  seat: number;
  by: number | null;
  valid: boolean;
}

/** Where the points of a seat came from and went to. They add up to its score.

    `stood`: defenders that were placed. `iced` and `freed`: defenders that ceased to score and came to score again.
    `attacked`: attackers that came to score. `spoilt`: attackers that ceased to: their targets were freed, they were
    captured, melted down, or blocked. `icehouse`: all that was lost there. */
export interface Account {
  stood: number;
  iced: number;
  freed: number;
  attacked: number;
  spoilt: number;
  icehouse: number;
}

/** What there is to tell of a seat.

    `placed`: how many pieces, `attacks`: how many of them lay. `wasted`: how many of these were worth nothing at the
    end. `taken` and `prisoners`: how many prisoners it took and how many it placed. `given`: how many pieces it had to
    give away. `open`: how long a call could have found it. `endangered`: how long any of its defenders was in danger.

    `acts`: how many it made since play began. `pause` and `longest_pause`: the mean and the longest time from one of
    them to the next, from the beginning of play to the first among them. `answer`: the mean time from a hit to the
    answer. A hit is an act of another seat that ices a defender of this one; the answer is this one's next placement or
    capture. None where there was no such time. */
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
  answer: number | null;
}

/** How a game went, from its record alone. `began`: when the last seat was ready. `course` begins before all acts.

    `ended_by`: a rule, or "resign", "time" or "draw" where the game ended before its rules did.

    `chances` are those that were missed, if only for a while, and those that a call took. */
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
