/** The messages between server and browser. Written by tools/wire_types.py from icetable.server.messages. */

export type ActKind = 'decision' | 'forced' | 'chance';

export type ActLabel = 'inaccuracy' | 'mistake' | 'blunder';

export type Reason = 'draw' | 'time' | 'resign' | 'record';

/** A legal act: its `worth` for each seat after a number of `visits`, and `line`, its principal variation.

    `exact`: the worth is proven for best play. */
export interface AnalysedAct {
  act: string;
  worth: number[];
  visits: number;
  exact: boolean;
  line: string[];
}

/** An outcome of chance: its probability, and the `worth` of the position after it for each seat.

    `exact`: the worth is proven for best play. */
export interface AnalysedOutcome {
  act: string;
  odds: number;
  worth: number[];
  exact: boolean;
}

/** The worth of a position: the expected share of the game for each seat. They add up to 1. */
export interface ReviewedPosition {
  worth: number[];
}

/** The effect of an act. */
export interface ReviewedAct {
  /** The seat that acted, -1 for chance. */
  seat: number;
  /** In the game's notation. */
  act: string;
  /** Whether its seat had a choice. */
  kind: ActKind;
  /** The act that the search prefers; null for chance. */
  best: string | null;
  /** The principal variation of `best`. */
  line: string[];
  /** What the act cost its own seat. */
  regret: number;
  /** What a random choice would have cost it on average. */
  stake: number;
  /** What it gave to the other seats. */
  gifts: number[];
  /** What chance gave to each seat. */
  luck: number[];
  /** The change in the search's own opinion. */
  drift: number[];
  /** A word for a costly act. */
  label: ActLabel | null;
}

/** Where a seat's share of a game came from: share = start + luck + gifts - regret + drift + end. */
export interface ReviewedSeat {
  /** The seat's share of the finished game. */
  share: number;
  /** Its worth in the first position. */
  start: number;
  /** The sum over all acts, as in `ReviewedAct`. */
  luck: number;
  /** What other seats gave to it. */
  gifts: number;
  /** What its own acts cost it. */
  regret: number;
  /** The sum over all acts. */
  drift: number;
  /** What it won or lost if the game ended before its rules did, or 0. */
  end: number;
  /** The number of its acts. */
  decisions: number;
  /** The number of its acts with an alternative. */
  unforced: number;
  /** The share without luck. */
  luck_adjusted: number;
  /** The mean regret of an unforced decision, in thousandths of a share. */
  error_rate: number;
  /** The part of the stakes that it kept, from 0 (as at random) to 1; null if too few choices mattered, or if no study has found the search to be reliable. */
  accuracy: number | null;
}

/** A review of a finished game: its `positions`, one more than its `acts`, and an account for each seat.

    `costliest`: the indices of the acts with regret, the costliest first. `ended`: what ended the game, if no rule did.
    `simulations` and `seed` are those of the searches. */
export interface Review {
  type: 'turns';
  simulations: number;
  seed: number;
  positions: ReviewedPosition[];
  acts: ReviewedAct[];
  seats: ReviewedSeat[];
  costliest: number[];
  ended: Reason | null;
}

/** The evaluation of a position: `worth`, the expected share of the game for each seat; they add up to 1.

    `seat` is the one to act, or CHANCE; None if the game is over. `exact`: the game is over or solved, so that the
    worth is proven for best play. `candidates` are the legal acts of the seat, best first, each with its principal
    variation. `outcomes` are those of chance, if they can be listed. */
export interface Analysis {
  seat: number | null;
  worth: number[];
  exact: boolean;
  candidates: AnalysedAct[];
  outcomes: AnalysedOutcome[];
}

export type RulesChoice = 'back' | 'keep' | 'again';

/** The newest position up to which a client has all acts: `seq` and `entry` of its frame, 0 at the start. */
export interface Seen {
  seq: number;
  entry: number;
}

/** Joins a table, as the first message. A client without a code of one of its seats watches.

    `seen`: the state of a client that reconnects; the answer is then `resumed` if possible, otherwise `welcome`. */
export interface Join {
  type: 'join';
  table: string;
  codes: string[];
  seen?: Seen;
}

/** Subscribes to the list of public tables instead of a table. The answers are `listed` until the socket closes.

    `tournament`: subscribes to this tournament instead; the answers are `tournament`. */
export interface Watch {
  type: 'watch';
  tournament?: string;
}

/** An act of a seat, in the game's notation. It counts once, even if the client sends it again with the same `id`.

    A client may send several acts without waiting for the answers. */
export interface Act {
  type: 'act';
  /** Drawn by the client. */
  id: string;
  /** The seat that acts. */
  seat: number;
  /** The act, as in `legal`. */
  text: string;
  /** The round-trip time in milliseconds, which the clock does not count, up to a limit. */
  lag?: number;
  /** The id of an act of the same seat that this one depends on; if that was refused, this one is too. */
  after?: string;
  /** The `entry` of the newest frame that the player saw. In a game without turns, an act that fails only because of later ones is refused without a penalty, unless the client's answers to `ping` prove that the player had seen those. */
  seen?: number;
  /** The number of the last `ping` answered on this socket, and the milliseconds from then to the act, negative if it was before. In a game without turns, an act that was on its way for three seconds longer than that answer lapses. */
  made?: [number, number];
  /** The act is sent again, too late to count; the answer says whether it had counted before. */
  lapsed?: boolean;
}

/** Undoes all acts after the first `to`: immediately at a local table, otherwise as a proposal to the others. */
export interface Undo {
  type: 'undo';
  id: string;
  to: number;
}

/** Requests the position after `seq` acts. The answer is `past`. */
export interface Look {
  type: 'look';
  seq: number;
}

/** Requests the page of lines that ends before line `before`. The answer is `history`. */
export interface History {
  type: 'history';
  before: number;
}

/** Measures the round-trip time. The answer is a `pong` with the same number. In a game without turns, the server
    also sends its own `ping`, after each act and every second, which the client answers in the same way: after it has
    handled all earlier messages. */
export interface Ping {
  type: 'ping';
  number: number;
}

/** The immediate answer to `ping`. */
export interface Pong {
  type: 'pong';
  number: number;
}

/** Requests the value of each legal act after `seq` acts. The answer is `solved`.

    A newer request replaces one in the queue. */
export interface Solve {
  type: 'solve';
  seq: number;
}

/** Requests the values of the position after `seq` acts and of its legal acts; null stops the analysis.

    The answers are `analysed`, each by a deeper search than the last, or `unanalysed`. A newer request replaces the
    previous one. */
export interface Analyse {
  type: 'analyse';
  seq: number | null;
}

/** Shows the others the piece in a player's hand before the act: a word of a legal act, null for nothing.

    It is not stored and has no answer, except an error for another client's seat. A word that is in no legal act counts
    as null. */
export interface Hold {
  type: 'hold';
  seat: number;
  what: string | null;
}

/** Shows the others the position of a player's hand over the board, in a game without turns; null: not over it.

    `at`: x and y, in units of the layout. It is not stored and has no answer, except an error for another client's
    seat. Above a few per second some are dropped, and all of them if the table does not show hands. */
export interface Aim {
  type: 'aim';
  seat: number;
  at: [number, number] | null;
}

/** Takes an open seat. From then on `code` holds it, and the invite is void. */
export interface Sit {
  type: 'sit';
  id: string;
  seat: number;
  name: string;
  code: string;
}

/** Leaves the game. The player keeps the seat and can return. */
export interface Leave {
  type: 'leave';
  id: string;
  seat: number;
}

/** Returns to a seat whose player had left. */
export interface Return {
  type: 'return';
  id: string;
  seat: number;
}

/** Replaces the code of a seat by `code`, to pass the seat on. The host may do this with open seats. */
export interface HandOver {
  type: 'hand-over';
  id: string;
  seat: number;
  code: string;
}

/** Puts a bot on a seat: the host on an open seat; on one whose player has left, as a proposal to the others. */
export interface Fill {
  type: 'fill';
  id: string;
  seat: number;
  level: string;
}

/** Proposes a draw, a pause or the end of a pause to the other players. */
export interface Offer {
  type: 'offer';
  id: string;
  what: 'draw' | 'pause' | 'resume';
}

/** Resigns a seat, which ends the game: the other seats share the win. A player who plays alone wins nothing. */
export interface Resign {
  type: 'resign';
  id: string;
  seat: number;
}

/** Agrees to proposal `number` or rejects it. Its author withdraws it by rejecting it. */
export interface Vote {
  type: 'vote';
  id: string;
  number: number;
  agree: boolean;
}

/** Sends a chat message to all clients at the table. It is not part of the game.

    `remark`: the message is not shown at the table, but stored for the designer of a prototype, with the position after
    this number of acts. */
export interface Say {
  type: 'say';
  id: string;
  text: string;
  remark?: number;
}

/** Decides what a table does about changed rules, by one of the choices of its notice.

    The answer is `ack` or `refused`. */
export interface Rules {
  type: 'rules';
  id: string;
  choice: RulesChoice;
}

export type Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote;

export type ClientMessage = Join | Watch | Ping | Pong | Look | History | Solve | Analyse | Hold | Aim | Say | Rules | Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote;

export type Value = string | number | boolean | null | Value[];

export type Options = Record<string, Value>;

export type SeatKind = 'person' | 'bot' | 'open';

/** The position after `seq` acts. */
export interface Frame {
  /** The number of acts so far. */
  seq: number;
  /** The last act. */
  line: Line | null;
  /** The position as the client may see it. */
  view: View;
  /** The legal acts of the client's seats, by seat. */
  legal: Record<string, string[]>;
  /** The `to` of an undo of the last act of a person; left out if the client can't request one. */
  undo?: number;
  /** If the table has a clock. */
  clocks?: Clocks;
  /** The number of the last act in the table's log, for `Seen`; left out at the start. */
  entry?: number;
  /** By seat, the milliseconds from the time of sending until time acts for it; left out if there is no such seat. */
  due?: Record<string, number>;
  /** The milliseconds of play so far, in a game that a bell will end. */
  played?: number;
}

export type Kind = 'choice' | 'int' | 'bool' | 'float' | 'list';

/** One of several ways to play that players should choose between: its name, and a description. */
export interface Reading {
  label: string;
  about: string;
}

/** An option of a game. */
export interface OptionSpec {
  /** The name in requests and records. */
  name: string;
  /** The kind of its values. */
  kind: Kind;
  /** The value without a choice. */
  default: Value;
  /** What it changes, in a sentence. */
  help: string;
  /** The id of the rule that it changes. */
  rule: string | null;
  /** The value to suggest to newcomers. */
  recommended: Value;
  /** All values, if they can be listed. */
  choices?: Value[];
  /** The least value of a number. */
  min?: number;
  /** The greatest value of a number. */
  max?: number;
  /** Descriptions of the `choices`, in the same order. */
  readings?: Reading[];
  /** Names of the `choices`, in the same order. */
  labels?: string[];
}

/** A level of the bots; `GameInfo.levels` lists the weakest first.

    `about`: how it plays; `by_players`: the same per number of players, if it differs. */
export interface Level {
  name: string;
  title: string;
  about: string;
  by_players?: Record<string, string>;
}

/** A game. */
export interface GameInfo {
  /** The name in requests and records. */
  name: string;
  /** The name for people. */
  title: string;
  /** What it is, in a sentence. */
  summary: string;
  /** The minimum and maximum number of players. */
  players: [number, number];
  /** The game is turn-based, so it can be played with a clock; otherwise all seats act at any time. */
  turns: boolean;
  /** The usual number of players. */
  default_players: number;
  /** In the order of the rules. */
  options: OptionSpec[];
  /** Named choices of options. */
  presets: Record<string, Options>;
  /** The levels of its bots, the weakest first. */
  levels: Level[];
  /** One per seat. */
  colours: string[];
  /** Its rules assign seats at random. */
  random_seats: boolean;
  /** A summary of bot games, per number of players. */
  measured: Record<string, string>;
  /** For the usual number of players, such as "8 to 17 minutes"; empty if unknown. */
  playing_time: string;
  /** The seat that wins clearly more than its share, if any, with the usual number of players. */
  favours: number | null;
  /** It is a prototype, a file of plain Python. */
  workshop: boolean;
  /** The seats that win together, per number of players. */
  teams: Record<string, number[][]>;
}

/** A game's rules as HTML. The paragraph of each rule has the rule's id.

    `colours`: the colours in the drawings, by seat. */
export interface RulesText {
  title: string;
  html: string;
  colours: string[];
}

/** A step of a lesson. */
export interface LessonStep {
  name: string;
  title: string;
  /** What the learner is to do. */
  instruction: string;
  /** Help for a learner who does not find it. */
  hint: string;
  /** For completing the step. */
  praise: string;
  /** The ids of the rules that it teaches. */
  rules: string[];
  /** The learner's seat. */
  seat: number;
}

/** The lesson of a game. */
export interface Lesson {
  game: string;
  title: string;
  steps: LessonStep[];
}

/** Whether the task of a step was completed at a table. */
export interface Learned {
  done: boolean;
}

/** A puzzle of a collection. */
export interface PuzzleListed {
  name: string;
  task: string;
  /** The solver's seat. */
  seat: number;
  /** Choices that differ from the defaults; numbers show on the board. */
  options: Options;
  /** Doing nothing may be right. */
  waits: boolean;
  /** The weakest level of the bots that finds the solution; null if none is sure to. */
  level: string | null;
  themes: string[];
}

/** The puzzles of a game, in the order of the collection. `levels`: the levels of its bots, the weakest first. */
export interface PuzzleCollection {
  game: string;
  title: string;
  levels: Level[];
  puzzles: PuzzleListed[];
}

/** The result of a puzzle at a table. */
export interface PuzzleVerdict {
  /** Null until it is decided. */
  is_right: boolean | null;
  /** The reason, in a sentence. */
  explanation: string;
  /** The value of the act to its seat, as a share of the game; null if unknown. */
  worth: number | null;
  /** The value of the right act; null if unknown. */
  best: number | null;
  /** The refutation of a wrong act, position by position, from the one after it; empty until the puzzle is decided. */
  reply: Frame[];
  /** The expected play, from the first position; empty until the puzzle is decided. */
  answer: Frame[];
}

/** The occupant of a seat of a new table: a person at this browser, a bot of a `level`, or a player who joins later.

    A bot with an empty `name` gets one. */
export interface SeatRequest {
  kind: SeatKind;
  name: string;
  level: string | null;
}

/** The time control: `seconds` per act, or for the whole game plus `increment` seconds per act.

    More than a day must be per act. From a day (86,400 seconds) on, clocks run by the calendar, even while no server is
    running. A player whose time runs out loses, and the others share the win. */
export interface Clock {
  per: 'act' | 'game';
  seconds: number;
  increment: number;
}

/** The length of a match. It ends when a player has this `number` of wins, or after this `number` of games, whose
    scores are added up. A shared win counts in part. Players rotate by one seat after each game. */
export interface Match {
  until: 'wins' | 'games';
  number: number;
}

/** A table to open. */
export interface TableRequest {
  /** The name of the game. */
  game: string;
  /** An option that is null has its default value. */
  options: Options;
  /** Their occupants, by number. */
  seats: SeatRequest[];
  /** The lobby lists the table, and every client may take its open seats. */
  public?: boolean;
  /** Watchers see the game while it is played. */
  live?: boolean;
  /** Seats are assigned at random when all of them are taken. */
  random_seats?: boolean;
  /** The time control. */
  clock?: Clock;
  /** Two players play two games, and swap seats for the second. */
  pair?: boolean;
  /** The table is for exploring, by one client with a person on each seat: positions can be analysed at any time. */
  explore?: boolean;
  /** In a game without turns, players see each other's hands over the board; true by default. */
  hands?: boolean;
  /** Programs play, so no hand is refused as too quick; not at a public table. */
  scripts?: boolean;
  /** It is the first table of a match. */
  match?: Match;
  /** The level of bots that the player who opens it claims to equal, for the list of public tables. */
  plays_like?: string;
}

/** Requests a seat at a public table: a matching one that waits for a player, otherwise a new one.

    In `table`, which is public, one seat is the person's, who holds it with `code`, and others are open. */
export interface SeekRequest {
  table: TableRequest;
  code: string;
}

/** Takes the first open seat of a public table. From then on `code` holds it. */
export interface JoinRequest {
  name: string;
  code: string;
}

/** Links the seats of these codes to the browser's cookie, as joining the table with them does. */
export interface HoldRequest {
  codes: string[];
}

/** Opens the next game of a series, or a new match. `codes`: the client's seat codes.

    `rotate`: the next seat begins; always true in a pair or a match. */
export interface NextRequest {
  codes: string[];
  rotate: boolean;
}

/** Opens a table to explore the position after `seq` acts. `codes`: the client's seat codes, if any. */
export interface CopyRequest {
  codes: string[];
  seq: number;
}

/** Opens the text of a game's record as a table, to be replayed. */
export interface RecordRequest {
  record: string;
}

/** A new table. `codes`: the seat code of each person, by seat number.

    `invites`: the codes that take the open seats. `host`: the host's code, if the table has open seats. */
export interface TableCreated {
  table: string;
  codes: Record<string, string>;
  invites: Record<string, string>;
  host: string | null;
}

/** The seat that a player got. `host` and `invites`: as in `TableCreated`, if the table is new. */
export interface Seated {
  table: string;
  seat: number;
  host: string | null;
  invites: Record<string, string>;
}

/** A seat as a client sees it. `mine`: the client holds its code. `gone`: its player has left the game. */
export interface Seat {
  seat: number;
  kind: SeatKind;
  name: string;
  level: string | null;
  colour: string;
  mine: boolean;
  gone: boolean;
}

/** A play-test: tables of a game for visitors of its link. `code`: the designer's, which opens the report. */
export interface PlaytestCreated {
  playtest: string;
  code: string;
}

/** A play-test as visitors see it. */
export interface Playtest {
  game: string;
  title: string;
  summary: string;
}

/** A visitor's table. Anybody may take its open seats. */
export interface PlaytestVisit {
  table: string;
}

/** A visitor's remark after act number `seq`; `at`: in milliseconds since 1970. */
export interface PlaytestRemark {
  name: string;
  seq: number;
  act: string;
  text: string;
  at: number;
}

/** A table of a play-test. Data that a game hides is left out until its end. */
export interface PlaytestTable {
  /** The table's id. */
  table: string;
  /** In milliseconds since 1970. */
  created: number;
  /** By number. */
  seats: Seat[];
  /** The number of players' acts. */
  acts: number;
  /** The game is over. */
  over: boolean;
  /** The seats that won. */
  winners: number[];
  /** By seat. */
  scores: number[];
  /** The median seconds per act, by seat; null for bots. */
  thinking: (number | null)[];
  /** What its players said about the game. */
  remarks: PlaytestRemark[];
  /** On request. */
  record?: string;
}

/** Games between bots. `acts`: the median number of players' acts. `shares`: the share of the wins, by seat. */
export interface BotGames {
  games: number;
  acts: number;
  shares: number[];
}

/** The report of a play-test, the newest table first. `bots`: once they have played. */
export interface PlaytestReport {
  title: string;
  options: Record<string, Value>;
  tables: PlaytestTable[];
  bots?: BotGames;
}

/** The progress of a review: `done` of its `of` positions; 0 of 0 before it has begun.

    `ahead`: the number of reviews of other games before it in the queue. `worths`: the value of each position to all
    seats, null while unknown; empty if the review contains no values. */
export interface ReviewProgress {
  done: number;
  of: number;
  ahead: number;
  worths: (number[] | null)[];
}

export type ReviewParts = Record<string, unknown>;

/** The review of a finished game without turns, from its rules and times alone. */
export interface RealTimeReview {
  type: 'real-time';
  parts: ReviewParts;
}

export type AnyReview = Review | RealTimeReview;

/** The verdict on another act at a position of a finished game, on the scale of the game's review.

    `is_right`: it is the best known act, or as good. `worth`: its seat's expected share of the game after it, and
    `best`: the same after the best act. `reply`: the expected play after it, position by position. `answer`: the
    expected play from the position on, which is the first. `seq` is counted from there. */
export interface Retried {
  is_right: boolean;
  worth: number;
  best: number;
  reply: Frame[];
  answer: Frame[];
}

/** A chat message. `number` counts from 1. `name`: the player's name then. `at`: in milliseconds since 1970. */
export interface ChatMessage {
  number: number;
  seat: number;
  name: string;
  at: number;
  text: string;
}

/** The result of the game, sent when it is over.

    `secret`: the seed of chance, in hexadecimal; empty if a record is shown. `standing`: the series with this game.
    `reason`: why the game ended, if not by a rule. `link`: the last hash of the log's chain, with which the record
    ends. `reviewable`: the game can be reviewed. */
export interface Ending {
  secret: string;
  standing: Standing;
  reason: Reason | null;
  link: string;
  reviewable: boolean;
}

/** Why a request was refused: a code, a sentence, the id of the rule, and the spaces concerned. */
export interface Fault {
  code: string;
  message: string;
  rule: string | null;
  where: string[];
}

/** An act in the log of the game. `seq` counts from 1; seat -1 is chance.

    `at`: the time of the act, in milliseconds of the table's time; only after the game is over. */
export interface Line {
  seq: number;
  seat: number;
  text: string;
  effects: Effect[];
  at?: number;
}

/** A public table in the lobby. */
export interface Listing {
  /** The table's id. */
  id: string;
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** In milliseconds since 1970. */
  created: number;
  /** By number. */
  seats: Seat[];
  /** All seats are taken. */
  started: boolean;
  /** Clients may watch it now. */
  live: boolean;
  /** Those that differ from the defaults. */
  options: Options;
  /** The time control. */
  clock: Clock | null;
  /** As in `TableRequest`. */
  pair: boolean;
  /** As in `TableRequest`. */
  match: Match | null;
  /** The level of bots that the waiting player claims to equal. */
  plays_like: string | null;
}

/** A table as a client sees it. */
export interface TableInfo {
  /** The table's id. */
  id: string;
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The game is a designer's file, without lessons, and its players may send remarks. */
  prototype: boolean;
  /** The value of each option. */
  options: Options;
  /** The fixed parts of the board. */
  layout: Layout;
  /** The game is turn-based. */
  turns: boolean;
  /** By number. */
  seats: Seat[];
  /** One browser holds the seats of all persons, so undo is immediate. */
  local: boolean;
  /** The SHA-256 of the secret that seeds chance, in hexadecimal. */
  commitment: string;
  /** `solve` is answered. */
  solvable: boolean;
  /** `analyse` is answered. */
  analysable: boolean;
  /** When the client may see values of positions: now, when the game is over, never at this table, or alone: when the game is over, but now for a client that holds all seats. */
  insight: Insight;
  /** The series before this game. */
  standing: Standing | null;
  /** All seats are taken. */
  started: boolean;
  /** The lobby lists the table, and every client may take its open seats. */
  public: boolean;
  /** The client opened the table. */
  host: boolean;
  /** The open seats that the client may take. */
  guest: number[];
  /** The client sees only the start until the game is over. */
  hidden: boolean;
  /** The time control. */
  clock: Clock | null;
  /** Clocks are stopped, and no seat may act. */
  paused: boolean;
  /** It is paused because all players had left. */
  unattended: boolean;
  /** The proposal that waits for votes. */
  proposal: Proposal | null;
  /** News of a prototype's file. */
  rules: RulesNotice | null;
  /** It is one of two games with swapped seats. */
  pair: boolean;
  /** Seats are, or were, assigned at random. */
  random_seats: boolean;
  /** The table only shows a record from a file. */
  record: boolean;
  /** The table is for exploring, not for a game. */
  explore: boolean;
  /** `aim` is shown to the others. */
  hands: boolean;
  /** The match that the game belongs to. */
  match: Match | null;
  /** The id of the tournament that it counts for. */
  tournament: string | null;
}

/** The public state of a tournament. */
export interface Tournament {
  /** As its organizer called it. */
  name: string;
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** As in `TableRequest`. */
  options: Options;
  /** The time control. */
  clock: Clock | null;
  /** As in `TournamentRequest`. */
  kind: TournamentKind;
  /** The number per table. */
  players: number;
  /** The planned number of rounds. */
  length: number;
  /** Open to entrants, running, or over. */
  state: 'open' | 'running' | 'over';
  /** By number. */
  entrants: Entrant[];
  /** Those drawn so far. */
  rounds: TournamentRound[];
  /** The entrants, the best first. */
  standings: TournamentLine[];
}

export type BotsState = 'thinking' | 'ready';

/** The whole table, in answer to `join`, with the last page of lines; `history` requests earlier ones.

    `lines` is null if the game hides its history until it is over. `ending` is null until the game is over. */
export interface Welcome {
  type: 'welcome';
  table: TableInfo;
  lines: Line[] | null;
  frame: Frame;
  ending: Ending | null;
}

/** The lines that the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`. */
export interface Resumed {
  type: 'resumed';
  table: TableInfo;
  lines: Line[];
  frame: Frame;
}

/** New and changed public tables, and the ids of those that are `gone`; at most once per second.

    `whole`: this is the complete list. */
export interface Listed {
  type: 'listed';
  tables: Listing[];
  gone: string[];
  whole: boolean;
}

/** The current state of a tournament, at most once per second. */
export interface TournamentNews {
  type: 'tournament';
  tournament: Tournament;
}

/** The newest position, after an act or a change by time alone. */
export interface NewFrame {
  type: 'frame';
  frame: Frame;
}

/** Acts were undone. `lines`: as in `welcome`. */
export interface Rewound {
  type: 'rewound';
  lines: Line[] | null;
  frame: Frame;
}

/** The game is over. It follows the frame of the last act. `lines`: as in `welcome`. */
export interface Over {
  type: 'over';
  lines: Line[] | null;
  ending: Ending;
}

/** A change of the table. `frame`: the newest position, as the client now sees it.

    `dropped`: the seat that declined the open proposal or withdrew it, if one did. */
export interface Changed {
  type: 'changed';
  table: TableInfo;
  frame: Frame;
  dropped?: number;
}

/** `here`: the seats whose players are connected. `replaceable`: the seats that a bot may take over.

    `lags`: in a game without turns, the known round-trip times of players in milliseconds, by seat. */
export interface Presence {
  type: 'presence';
  here: number[];
  replaceable: number[];
  lags?: Record<string, number>;
}

/** The piece in a player's hand, null for nothing. Every new position empties all hands. */
export interface Held {
  type: 'held';
  seat: number;
  what: string | null;
}

/** The position of a player's hand over the board, as x and y in units of the layout; null: not over it. */
export interface Aimed {
  type: 'aimed';
  seat: number;
  at: [number, number] | null;
}

/** Chat messages: the latest ones after a `join`, then each new one. */
export interface Said {
  type: 'said';
  remarks: ChatMessage[];
}

/** The next game of the series is at this table. The seat codes are the same. */
export interface Next {
  type: 'next';
  table: string;
}

/** What follows a finished game of a tournament, for a player at its table; sent again when it changes. */
export interface RoundNews {
  type: 'round';
  /** The tournament's name. */
  name: string;
  /** The round under way. */
  number: number;
  /** The planned number of rounds. */
  length: number;
  /** The number of games of the round that are not over. */
  unfinished: number;
  /** The table of the player's next game, whose seat codes are the same; null while there is none. */
  table: string | null;
  /** The others there. */
  against: string[];
  /** The player sits out in this round. */
  bye: boolean;
  /** The player's place, once the tournament is over. */
  place: number | null;
}

/** The answer to `history`. */
export interface HistoryPage {
  type: 'history';
  lines: Line[];
}

/** The answer to `look`. It lists no legal acts. */
export interface Past {
  type: 'past';
  frame: Frame;
}

/** The value of each legal act after `seq` acts, for the seat to act: "win", "draw" or "loss", or a score. */
export interface Solved {
  type: 'solved';
  seq: number;
  values: Record<string, string | number>;
}

/** The value of the position after `seq` acts. */
export interface Analysed {
  type: 'analysed';
  /** The number of acts before the position. */
  seq: number;
  /** The number in this search. */
  simulations: number;
  /** No deeper search follows. */
  last: boolean;
  /** The one to act, -1 for chance, null if the game is over. */
  seat: number | null;
  /** Each seat's expected share of the game; they add up to 1. */
  worth: number[];
  /** The game is over, or solved from here. */
  exact: boolean;
  /** The legal acts, the best first. */
  candidates: AnalysedAct[];
  /** Those of chance, if they can be listed. */
  outcomes: AnalysedOutcome[];
}

/** The position after `seq` acts is not analysed. `why`: the reason, in one sentence. */
export interface Unanalysed {
  type: 'unanalysed';
  seq: number;
  why: string;
}

/** The request was stored and took effect. `seq`: the number of acts after it. */
export interface Ack {
  type: 'ack';
  id: string;
  seq: number;
}

/** The request had no effect. */
export interface Refused {
  type: 'refused';
  id: string;
  fault: Fault;
}

/** The state of the bots: the bot of `seat` thinks, or none does (ready).

    `warming_up`: the approximate seconds until they play at the full strength of their levels; null: they do. */
export interface Bots {
  type: 'bots';
  state: BotsState;
  seat: number | null;
  warming_up: number | null;
}

/** A message could not be read or handled. `message`: the reason, in one sentence. */
export interface ErrorMessage {
  type: 'error';
  message: string;
}

export type ServerMessage = Welcome | Resumed | Listed | TournamentNews | NewFrame | Rewound | Over | Changed | Presence | Held | Aimed | Said | Next | RoundNews | Ping | Pong | Past | HistoryPage | Solved | Analysed | Unanalysed | Ack | Refused | Bots | ErrorMessage;

/** An address of the server's machine in a network. `kind`: by what it is connected; `name`: the interface's, if it
    is known. `address`: that of the pages there; null while the server is not open to this network. */
export interface Network {
  host: string;
  kind: 'wifi' | 'cable' | 'network' | 'vpn' | 'virtual';
  name: string;
  address: string | null;
}

/** The addresses of the pages for browsers on other machines, the likeliest first; empty if others can't open them.

    Pages on other machines than the server's get only a public address. `openable`: there is no address yet, and the
    page may open the server to one of the `networks`, the likeliest first; they are left out where it may not. */
export interface Addresses {
  others: string[];
  openable: boolean;
  networks?: Network[];
}

/** Opens the server to one of its machine's networks, by its `host`, or closes it again. */
export interface NetworkRequest {
  host: string;
  open: boolean;
}

/** Subscribes a browser to push notifications about the seats of `codes`; unsubscribes it if `on` is false.

    The endpoint and the keys are those of the browser's `PushSubscription`. */
export interface NoticesRequest {
  codes: string[];
  endpoint: string;
  p256dh: string;
  auth: string;
  on: boolean;
}

/** Whether a browser is subscribed to notices about its seats. */
export interface Notices {
  on: boolean;
}

/** The key that browsers subscribe with, in base64url; null if this server sends no notices. */
export interface PushKey {
  key: string | null;
}

/** The reason why a request failed, in one sentence. */
export interface ErrorBody {
  error: string;
}

/** A transfer for another browser. `encrypted`: its content, encrypted by the sender, in base64.

    `transfer`: its id, which reveals nothing about the key. */
export interface TransferRequest {
  transfer: string;
  encrypted: string;
}

/** The number of `seconds` for which a transfer is stored. */
export interface TransferLeft {
  seconds: number;
}

/** The content of a transfer, still `encrypted`, in base64. */
export interface Transfer {
  encrypted: string;
}

export type ProposalKind = 'undo' | 'fill' | 'draw' | 'pause' | 'resume';

export type Insight = 'now' | 'over' | 'alone' | 'never';

/** Something that an act caused. */
export interface Effect {
  kind: string;
  spaces: string[];
  value: number | string | null;
}

/** How a game is won. `cooperative`: all win or lose together, against the game; left out if they don't. */
export interface Manner {
  cooperative?: boolean;
}

/** The position as one client may see it, with the fields that all games share. Each game adds its own (in its
    `view.py`).

    `seat`: the client's seat, null for watchers. `to_act`: the seats that may act. */
export interface View {
  cooperative?: boolean;
  seat: number | null;
  to_act: number[];
  over: boolean;
  ended_by: string | null;
  winners: number[];
  scores: number[];
}

export type Layout = Record<string, unknown>;

/** The time left per seat, in milliseconds at the time of sending, and the seats whose clocks run. */
export interface Clocks {
  left: number[];
  running: number[];
}

/** The standing of a series: the number of games, the total score of each seat, and the seats that lead.

    `leaders` takes tie-breaks into account. `ratings`: tournament ratings, in games that define them. In a match,
    `wins` are the wins of each seat, and `match_winners` the seats that have won it, once it is decided. */
export interface Standing {
  games: number;
  scores: number[];
  leaders: number[];
  ratings: number[] | null;
  wins?: number[];
  match_winners?: number[];
}

/** A proposal of seat `by`: undo to after act `target`, fill seat `target` with a bot, draw, pause or resume.

    It takes effect when all `waiting` seats have agreed. `number` identifies it in a `vote`. */
export interface Proposal {
  number: number;
  by: number;
  what: ProposalKind;
  target: number;
  waiting: number[];
}

/** What has become of the rules of a prototype whose file was saved, and what players may do about it.

    `choices`: "back" takes back the moves that the new rules refuse, "keep" goes on with the old rules, and "again"
    plays what was taken back, as far as the rules allow. */
export interface RulesNotice {
  message: string;
  choices: RulesChoice[];
}

/** A table in a list of a browser's tables. */
export interface Summary {
  /** The table's id. */
  id: string;
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The game is turn-based. */
  turns: boolean;
  /** By number. */
  seats: Seat[];
  /** All seats are taken. */
  started: boolean;
  /** The game is hidden until it is over. */
  hidden: boolean;
  /** Clocks are stopped, and no seat may act. */
  paused: boolean;
  /** The number of entries in its log; 0 if it is hidden. */
  length: number;
  /** The time of the last entry, or of creation if it is hidden, in milliseconds since 1970. */
  when: number;
  /** As in `View`, like the next fields. */
  to_act: number[];
  /** The game is over. */
  over: boolean;
  /** The seats that won. */
  winners: number[];
  /** By seat. */
  scores: number[];
  /** The id of the rule that ended the game. */
  ended_by: string | null;
  /** Why the game ended, if not by a rule. */
  reason: Reason | null;
  /** The table is for exploring, not for a game. */
  explore: boolean;
  /** The time when the clock of a player to act runs out, in milliseconds since 1970; null if no clock runs. */
  due: number | null;
  /** As in `TableInfo`. */
  pair: boolean;
  /** As in `TableInfo`. */
  match: Match | null;
  /** As in `TableInfo`. */
  tournament: string | null;
  /** That of the series: with this game once it is over. */
  standing: Standing | null;
  /** The table of the next game of the series, for its players, once it is open. */
  next: string | null;
  /** As in `View`. */
  cooperative: boolean;
}

export type TournamentKind = 'round-robin' | 'swiss' | 'rated';

/** A tournament to open: all its tables have this game, with `options` (null: the default) and `clock`.

    `kind`: a round robin of games for two; by the Swiss system, `rounds` rounds that pair players of similar points; or
    rated: the same by the ratings of games that define them. `public`: the lobby lists it while it is open or running. */
export interface TournamentRequest {
  name: string;
  game: string;
  options: Options;
  kind: TournamentKind;
  rounds?: number;
  clock?: Clock;
  public: boolean;
}

/** A public tournament in the lobby. The fields without a word are as in `Tournament`. */
export interface TournamentListing {
  /** The tournament's id. */
  id: string;
  name: string;
  game: string;
  title: string;
  clock: Clock | null;
  kind: TournamentKind;
  players: number;
  length: number;
  state: 'open' | 'running' | 'over';
  /** The number of those who play on. */
  entrants: number;
  /** The number of rounds drawn. */
  round: number;
  /** In milliseconds since 1970. */
  created: number;
}

/** A tournament, which others enter by its id. `code`: the organizer's. */
export interface TournamentCreated {
  tournament: string;
  code: string;
}

/** Enters a tournament that has not begun: a person, who holds `code` at every table, or, by its organizer, a bot of
    a `level`. */
export interface EnterRequest {
  name: string;
  code?: string;
  level?: string;
}

/** The number of an entrant; always the same for the same code. */
export interface Entered {
  entrant: number;
}

/** A decision of the organizer: to start the first round, to remove an entrant from further rounds, or to forfeit
    an entrant's game at a table of this round. */
export interface OrganizerRequest {
  do: 'start' | 'remove' | 'forfeit';
  entrant?: number;
  table?: string;
}

/** A player of a tournament; bots have a `level`. `gone`: plays in no further rounds. */
export interface Entrant {
  name: string;
  level: string | null;
  gone: boolean;
}

/** A table of a round. `seats`: the numbers of entrants, by seat. `wins` and `scores` by seat; `wins` is null until
    the game is over, and a shared win counts in part. `forfeit`: the entrant who did not play. */
export interface TournamentTable {
  table: string;
  seats: number[];
  wins: number[] | null;
  scores: number[];
  forfeit: number | null;
}

/** A round. `out`: the entrants who sit out. */
export interface TournamentRound {
  tables: TournamentTable[];
  out: number[];
}

/** The standing of an entrant. `points`: wins, or the rating. `breaks`: tie-breaks, the most important first: in a
    round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger; then the sums
    of the game's scores and of its own tie-break points. If rated, the sum of scores only. */
export interface TournamentLine {
  place: number;
  entrant: number;
  points: number;
  played: number;
  breaks: number[];
}
