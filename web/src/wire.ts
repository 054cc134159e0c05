/** The messages between server and browser. Written by tools/wire_types.py from src/icetable/server/messages.py. */

export type Value = string | number | boolean | null | Value[];

export type Options = Record<string, Value>;

export type Kind = 'choice' | 'int' | 'bool' | 'float' | 'list';

export type SeatKind = 'person' | 'bot' | 'open';

export type ProposalKind = 'undo' | 'fill' | 'draw' | 'pause' | 'resume';

export type Reason = 'draw' | 'time';

export type BotsState = 'waking' | 'thinking' | 'ready';

/** One rule switch of a game, as the lobby offers it. */
export interface OptionSpec {
  name: string;
  kind: Kind;
  default: Value;
  help: string;
  rule: string | null;
  choices?: Value[];
  min?: number;
  max?: number;
}

/** A strength of the computer players; `GameInfo.levels` lists the weakest first. */
export interface Level {
  name: string;
  title: string;
  about: string;
}

/** What the lobby knows of a game: `players` is the least and the most, `colours` go by seat.

    `turns`: one acts after another, so a clock can run. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  players: [number, number];
  turns: boolean;
  default_players: number;
  options: OptionSpec[];
  presets: Record<string, Options>;
  levels: Level[];
  colours: string[];
}

/** Who is to sit on a seat: a person at this browser, a bot of a level, or whoever comes and takes it. */
export interface SeatRequest {
  kind: SeatKind;
  name: string;
  level: string | null;
}

/** How long everybody may think, in seconds: for each act, or for all acts of a game.

    For a game every act earns `increment` more. Who runs out of time loses, and the others share the win. */
export interface Clock {
  per: 'act' | 'game';
  seconds: number;
  increment: number;
}

/** A table to be opened; an option that is null is left at its default.

    `public`: it stands in the lobby, and open seats are anybody's. `live`: who watches sees the game while it is
    played. `lots`: who sits where is drawn by lot when every seat is taken. `clock`: how long everybody may think. */
export interface TableRequest {
  game: string;
  options: Options;
  seats: SeatRequest[];
  public?: boolean;
  live?: boolean;
  lots?: boolean;
  clock?: Clock;
}

/** The next game of a series, by who holds `codes`; with `rotate` the next seat begins. */
export interface NextRequest {
  codes: string[];
  rotate: boolean;
}

/** A table of one's own to try things at, from the position after `seq` acts, by who holds `codes` or watches. */
export interface CopyRequest {
  codes: string[];
  seq: number;
}

/** `codes`: the secret code of each person's seat, by seat number.

    `invites`: with these the open seats are taken. `host`: the code of who opened a table with open seats. */
export interface TableCreated {
  table: string;
  codes: Record<string, string>;
  invites: Record<string, string>;
  host: string | null;
}

/** Something to learn by doing it: what is `told` before, a hint, and what is said when it is done.

    `rules` are the ids of the rules that it is about; `seat` is the learner's. */
export interface LessonStep {
  name: string;
  title: string;
  told: string;
  hint: string;
  praise: string;
  rules: string[];
  seat: number;
}

/** The lesson of a game. */
export interface Lesson {
  game: string;
  title: string;
  steps: LessonStep[];
}

/** Whether what a step asks for has been done at a table. */
export interface Learned {
  done: boolean;
}

/** A game's rules as HTML; each rule's paragraph has the rule's id. */
export interface RulesText {
  title: string;
  html: string;
}

/** Why a request was not granted, in one sentence. */
export interface ErrorBody {
  error: string;
}

/** A seat as a visitor sees it; `mine`: this browser holds its code. `gone`: a person who has left. */
export interface Seat {
  seat: number;
  kind: SeatKind;
  name: string;
  level: string | null;
  colour: string;
  mine: boolean;
  gone: boolean;
}

/** Why an act was refused: the rule that says so and the spaces it is about. */
export interface Fault {
  code: string;
  message: string;
  rule: string | null;
  where: string[];
}

/** Something that an act caused. */
export interface Effect {
  kind: string;
  spaces: string[];
  value: number | string | null;
}

/** One act of the game; `seq` counts from 1, seat -1 is nature.

    `at`: when it was made, in milliseconds of the table's time, where the game is over. */
export interface Line {
  seq: number;
  seat: number;
  text: string;
  effects: Effect[];
  at?: number;
}

/** What every game's view has; a game declares its own fields in its module `view`. */
export interface View {
  seat: number | null;
  to_act: number[];
  over: boolean;
  ended_by: string | null;
  winners: number[];
  scores: number[];
}

export type Layout = Record<string, unknown>;

/** What each seat has left, in milliseconds at the moment of sending, and the seats for which time runs. */
export interface Clocks {
  left: number[];
  running: number[];
}

/** The position after `seq` acts; `legal` lists the acts of this browser's seats that may act now.

    `undo`: where taking back the last act of a person leads; left out where this browser can't. `entry`: the number
    under which the log keeps the act that led here; left out at the start. */
export interface Frame {
  seq: number;
  line: Line | null;
  view: View;
  legal: Record<string, string[]>;
  undo?: number;
  clocks?: Clocks;
  entry?: number;
}

/** What the games of a series add up to, by seat, and who leads, also by what decides between equal scores.

    `ratings`: what a tournament makes of scores and wins, in games that know one. */
export interface Standing {
  games: number;
  scores: number[];
  leaders: number[];
  ratings: number[] | null;
}

/** What seat `by` proposes: to go back to after act `target`, a bot on seat `target`, a draw, a pause or its end.

    It is done when the `waiting` seats have agreed; `number` tells one proposal from another. */
export interface Proposal {
  number: number;
  by: number;
  what: ProposalKind;
  target: number;
  waiting: number[];
}

/** A public table in the lobby. `created` is in milliseconds since 1970; `live`: it can be watched now. */
export interface Listing {
  id: string;
  game: string;
  title: string;
  created: number;
  seats: Seat[];
  started: boolean;
  live: boolean;
}

/** A table as a visitor knows it.

    `turns`: one acts after another, else anybody at any time. `local`: one browser holds every person's seat, so acts
    may be taken back. `commitment`: the SHA-256 of what nature draws from, in hexadecimal digits. `solvable`: what the
    acts are worth can be asked for. `standing`: of the series before this game. `started`: every seat is taken. `host`:
    this browser opened the table. `guest`: the open seats that this browser may take. `hidden`: this visitor sees the
    game when it is over, and up to then only the start. `paused`: time stands still, and nobody may act. */
export interface TableInfo {
  id: string;
  game: string;
  title: string;
  options: Options;
  layout: Layout;
  turns: boolean;
  seats: Seat[];
  local: boolean;
  commitment: string;
  solvable: boolean;
  standing: Standing | null;
  started: boolean;
  public: boolean;
  host: boolean;
  guest: number[];
  hidden: boolean;
  clock: Clock | null;
  paused: boolean;
  proposal: Proposal | null;
}

/** What somebody said. `number` counts from 1; `name` had the seat then; `at` is in milliseconds since 1970. */
export interface ChatMessage {
  number: number;
  seat: number;
  name: string;
  at: number;
  text: string;
}

/** What is told when the game is over.

    `secret`: what nature drew from, in hexadecimal digits. `standing`: of the series with this game. `reason`: why the
    game was broken off, where no rule ended it. `link`: the last of the log's chain, as the record must end with it. */
export interface Ending {
  secret: string;
  standing: Standing;
  reason: Reason | null;
  link: string;
}

/** The newest position that a browser knows with all acts that led to it: `entry` of its frame, 0 at the start. */
export interface Seen {
  seq: number;
  entry: number;
}

/** The first message: whoever has no code that fits watches. `seen`: what who comes back has still. */
export interface Join {
  type: 'join';
  table: string;
  codes: string[];
  seen?: Seen;
}

/** An act of a seat; the browser's own `id` makes sure that it counts once however often it is sent.

    `lag`: how many milliseconds the way from the server and back takes; where a clock runs they don't count, within a
    bound. */
export interface Act {
  type: 'act';
  id: string;
  seat: number;
  text: string;
  lag?: number;
}

/** Back to the position after `to` acts: at once on one screen, elsewhere when the others agree. */
export interface Undo {
  type: 'undo';
  id: string;
  to: number;
}

/** The position after `seq` acts is asked for. */
export interface Look {
  type: 'look';
  seq: number;
}

/** The page of lines that ends before number `before` is asked for. */
export interface History {
  type: 'history';
  before: number;
}

/** How long is the way? The answer, a pong of the same number, comes at once. */
export interface Ping {
  type: 'ping';
  number: number;
}

/** What is each act worth that is legal after `seq` acts? A newer question takes the place of one that waits. */
export interface Solve {
  type: 'solve';
  seq: number;
}

/** Before the act: what is in this browser's hand, for the others to see; a word of a legal act, null for nothing.

    It is not kept, and not answered where the seat is one's own. What the seat may not act with now is nothing. */
export interface Hold {
  type: 'hold';
  seat: number;
  what: string | null;
}

/** An open seat is taken; `code` holds it from now on, and the one of the link is void. */
export interface Sit {
  type: 'sit';
  id: string;
  seat: number;
  name: string;
  code: string;
}

/** Somebody goes, and keeps the seat. */
export interface Leave {
  type: 'leave';
  id: string;
  seat: number;
}

/** Somebody who had left is back. */
export interface Return {
  type: 'return';
  id: string;
  seat: number;
}

/** Whoever has `code` may take this seat; the code before is void. The host may do so with open seats. */
export interface HandOver {
  type: 'hand-over';
  id: string;
  seat: number;
  code: string;
}

/** A bot for a seat: the host for an open one, the others by agreement for one whose player is gone. */
export interface Fill {
  type: 'fill';
  id: string;
  seat: number;
  level: string;
}

/** A draw, a pause or its end: done when the others agree. */
export interface Offer {
  type: 'offer';
  id: string;
  what: 'draw' | 'pause' | 'resume';
}

/** Consent to proposal `number`, or none; who made it may call it off. */
export interface Vote {
  type: 'vote';
  id: string;
  number: number;
  agree: boolean;
}

/** Something is said to all at the table; it is no part of the game. */
export interface Say {
  type: 'say';
  id: string;
  text: string;
}

export type Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Vote;

export type ClientMessage = Join | Ping | Look | History | Solve | Hold | Say | Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Vote;

/** The whole table, in answer to a join, with the last page of lines; `History` asks for the earlier ones.

    `lines` is null where the game hides its history until it is over. */
export interface Welcome {
  type: 'welcome';
  table: TableInfo;
  lines: Line[] | null;
  frame: Frame;
  ending: Ending | null;
}

/** What has been missed, in answer to a join that tells what was seen, where all of that still stands.

    Where more than a page was missed, the answer is a `Welcome`. */
export interface Resumed {
  type: 'resumed';
  table: TableInfo;
  lines: Line[];
  frame: Frame;
}

/** The newest position: after an act, or as time alone has changed it since. */
export interface NewFrame {
  type: 'frame';
  frame: Frame;
}

/** Acts were taken back. `lines` as in `Welcome`. */
export interface Rewound {
  type: 'rewound';
  lines: Line[] | null;
  frame: Frame;
}

/** The game is over; it comes behind the frame of the last act. `lines` as in `Welcome`. */
export interface Over {
  type: 'over';
  lines: Line[] | null;
  ending: Ending;
}

/** Something about the table has changed. `frame`: the newest position again, as this visitor now sees it. */
export interface Changed {
  type: 'changed';
  table: TableInfo;
  frame: Frame;
}

/** `here`: the seats whose people are at the table. `replaceable`: those away so long that a bot may come. */
export interface Presence {
  type: 'presence';
  here: number[];
  replaceable: number[];
}

/** What somebody has in hand, null for nothing. With every new position all hands are empty. */
export interface Held {
  type: 'held';
  seat: number;
  what: string | null;
}

/** What was said at the table: the last remarks to who comes, then each one. */
export interface Said {
  type: 'said';
  remarks: ChatMessage[];
}

/** Somebody has opened the next game of the series: the codes of this table fit there. */
export interface Next {
  type: 'next';
  table: string;
}

/** The answer to a `History`. */
export interface HistoryPage {
  type: 'history';
  lines: Line[];
}

/** The answer to a look; nothing is legal in the past. */
export interface Past {
  type: 'past';
  frame: Frame;
}

/** The answer to a ping. */
export interface Pong {
  type: 'pong';
  number: number;
}

/** What each legal act after `seq` acts is worth to who is to act: "win", "draw" or "loss", or alone the score. */
export interface Solved {
  type: 'solved';
  seq: number;
  values: Record<string, string | number>;
}

/** The request counts; `seq` acts have been made since the start when it had been done. */
export interface Ack {
  type: 'ack';
  id: string;
  seq: number;
}

/** The request changes nothing. */
export interface Refused {
  type: 'refused';
  id: string;
  fault: Fault;
}

/** What the computer players do; waking: their kernels still compile. */
export interface Bots {
  type: 'bots';
  state: BotsState;
  seat: number | null;
}

/** Something could not be done or understood, in one sentence. */
export interface ErrorMessage {
  type: 'error';
  message: string;
}

export type ServerMessage = Welcome | Resumed | NewFrame | Rewound | Over | Changed | Presence | Held | Said | Next | Pong | Past | HistoryPage | Solved | Ack | Refused | Bots | ErrorMessage;
