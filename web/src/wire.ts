/** The messages between server and browser. Written by tools/wire_types.py from icetable.server.messages. */

export type ActKind = 'decision' | 'forced' | 'chance';

export type ActLabel = 'inaccuracy' | 'mistake' | 'blunder';

export type Reason = 'draw' | 'time' | 'resign' | 'record';

/** A legal act, as far as it was searched. */
export interface AnalysedAct {
  /** Its notation. */
  act: string;
  /** The expected share of the game of each seat after it. They add up to 1. */
  worth: number[];
  /** The number of simulations that tried it. */
  visits: number;
  /** Whether the worth is proven for best play. */
  exact: boolean;
  /** Its principal variation, from this act on. */
  line: string[];
}

/** An outcome of chance. */
export interface AnalysedOutcome {
  /** Its notation. */
  act: string;
  /** Its probability. */
  odds: number;
  /** The expected share of the game of each seat after it. They add up to 1. */
  worth: number[];
  /** Whether the worth is proven for best play. */
  exact: boolean;
}

/** The worth of a position. */
export interface ReviewedPosition {
  /** The expected share of the game of each seat. They add up to 1. */
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

/** A review of a finished game: its positions, its acts, and an account for each seat. */
export interface Review {
  type: 'turns';
  /** The number of simulations of each search. */
  simulations: number;
  /** The seed of the searches. */
  seed: number;
  /** Those of the game, one more than the acts. */
  positions: ReviewedPosition[];
  /** Those of the game, of chance too. */
  acts: ReviewedAct[];
  /** The account of each seat. */
  seats: ReviewedSeat[];
  /** The indices of the acts with regret, the costliest first. */
  costliest: number[];
  /** What ended the game; None if a rule did. */
  ended: Reason | null;
}

/** The evaluation of a position. */
export interface Analysis {
  /** The seat to act, or CHANCE; None if the game is over. */
  seat: number | null;
  /** The expected share of the game of each seat. They add up to 1. */
  worth: number[];
  /** Whether the game is over or solved, so that the worth is proven for best play. */
  exact: boolean;
  /** The legal acts of the seat, best first, each with its principal variation. */
  candidates: AnalysedAct[];
  /** Those of chance, if they can be listed. */
  outcomes: AnalysedOutcome[];
}

export type RulesChoice = 'back' | 'keep' | 'again';

/** The newest position up to which a client has all acts, as its frame says. */
export interface Seen {
  /** Its number of acts; 0 at the start. */
  seq: number;
  /** The number of its last act in the table's log; 0 at the start. */
  entry: number;
}

/** Joins a table, as the first message. A client without a code of one of its seats watches. */
export interface Join {
  type: 'join';
  /** The table's id. */
  table: string;
  /** The client's seat codes, and those of invitations and of the host. */
  codes: string[];
  /** The state of a client that reconnects; the answer is then `resumed` if possible, otherwise `welcome`. */
  seen?: Seen;
}

/** Subscribes to the list of public tables instead of a table. The answers are `listed` until the socket closes. */
export interface Watch {
  type: 'watch';
  /** The id of a tournament to subscribe to instead; the answers are `tournament`. */
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

/** Undoes acts: immediately at a local table, otherwise as a proposal to the others. */
export interface Undo {
  type: 'undo';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The number of acts that stay. */
  to: number;
}

/** Requests an earlier position. The answer is `past`. */
export interface Look {
  type: 'look';
  /** The number of acts after which it stood. */
  seq: number;
}

/** Requests a page of lines. The answer is `history`. */
export interface History {
  type: 'history';
  /** The number of the line before which the page ends. */
  before: number;
}

/** Measures the round-trip time. The answer is a `pong` with the same number. In a game without turns, the server
    also sends its own `ping`, after each act and every second, which the client answers in the same way: after it has
    handled all earlier messages. */
export interface Ping {
  type: 'ping';
  /** Any number, which the answer repeats. */
  number: number;
}

/** The immediate answer to `ping`. */
export interface Pong {
  type: 'pong';
  /** That of the `ping`. */
  number: number;
}

/** Requests the value of each legal act at a position. The answer is `solved`.

    A newer request replaces one in the queue. */
export interface Solve {
  type: 'solve';
  /** The number of acts before the position. */
  seq: number;
}

/** Requests the values of a position and of its legal acts.

    The answers are `analysed`, each by a deeper search than the last, or `unanalysed`. A newer request replaces the
    previous one. */
export interface Analyse {
  type: 'analyse';
  /** The number of acts before the position; null stops the analysis. */
  seq: number | null;
}

/** Shows the others the piece in a player's hand before the act.

    It is not stored and has no answer, except an error for another client's seat. A word that is in no legal act counts
    as null. */
export interface Hold {
  type: 'hold';
  /** The player's seat. */
  seat: number;
  /** A word of a legal act; null for nothing. */
  what: string | null;
}

/** Shows the others the position of a player's hand over the board, in a game without turns.

    It is not stored and has no answer, except an error for another client's seat. Above a few per second some are
    dropped, and all of them if the table does not show hands. */
export interface Aim {
  type: 'aim';
  /** The player's seat. */
  seat: number;
  /** x and y, in units of the layout; null: not over the board. */
  at: [number, number] | null;
}

/** Takes an open seat. From then on the invite is void. */
export interface Sit {
  type: 'sit';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The open seat. */
  seat: number;
  /** The player's name. */
  name: string;
  /** The new code, which holds the seat. */
  code: string;
}

/** Leaves the game. The player keeps the seat and can return. */
export interface Leave {
  type: 'leave';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The player's seat. */
  seat: number;
}

/** Returns to a seat whose player had left. */
export interface Return {
  type: 'return';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The player's seat. */
  seat: number;
}

/** Replaces the code of a seat, to pass the seat on. The host may do this with open seats. */
export interface HandOver {
  type: 'hand-over';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The seat. */
  seat: number;
  /** The new code. */
  code: string;
}

/** Puts a bot on a seat: the host on an open seat; on one whose player has left, as a proposal to the others. */
export interface Fill {
  type: 'fill';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The seat. */
  seat: number;
  /** The name of the bot's level. */
  level: string;
}

/** Makes a proposal to the other players. */
export interface Offer {
  type: 'offer';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** A draw, a pause, or the end of a pause. */
  what: 'draw' | 'pause' | 'resume';
}

/** Resigns a seat, which ends the game: the other seats share the win. A player who plays alone wins nothing. */
export interface Resign {
  type: 'resign';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The seat that resigns. */
  seat: number;
}

/** Agrees to a proposal or rejects it. Its author withdraws it by rejecting it. */
export interface Vote {
  type: 'vote';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** That of the proposal. */
  number: number;
  /** The client agrees; otherwise it rejects the proposal. */
  agree: boolean;
}

/** Sends a chat message to all clients at the table. It is not part of the game. */
export interface Say {
  type: 'say';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** The message. */
  text: string;
  /** The message is not shown at the table, but stored for the designer of a prototype, with the position after this number of acts. */
  remark?: number;
}

/** Decides what a table does about changed rules.

    The answer is `ack` or `refused`. */
export interface Rules {
  type: 'rules';
  /** The id of the request; the same if it is sent again. */
  id: string;
  /** One of the choices of the notice. */
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

/** One of several ways to play that players should choose between. */
export interface Reading {
  /** Its name. */
  label: string;
  /** A description, in a sentence or two. */
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

/** A level of the bots; `GameInfo.levels` lists the weakest first. */
export interface Level {
  /** Its name in requests. */
  name: string;
  /** Its name on the page. */
  title: string;
  /** How it plays. */
  about: string;
  /** How it plays, by number of players; left out if that is always the same. */
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

/** A game's rules. */
export interface RulesText {
  /** The title of the game. */
  title: string;
  /** The rules as HTML. The paragraph of each rule has the rule's id. */
  html: string;
  /** The colours in the drawings, by seat. */
  colours: string[];
}

/** A step of a lesson. */
export interface LessonStep {
  /** Its name in requests. */
  name: string;
  /** Its title on the page. */
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
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The steps, in order. */
  steps: LessonStep[];
}

/** The state of a step at a table. */
export interface Learned {
  /** The task was completed. */
  done: boolean;
}

/** A puzzle of a collection. */
export interface PuzzleListed {
  /** Its name in requests. */
  name: string;
  /** The task, in a sentence. */
  task: string;
  /** The solver's seat. */
  seat: number;
  /** Choices that differ from the defaults; numbers show on the board. */
  options: Options;
  /** Doing nothing may be right. */
  waits: boolean;
  /** The weakest level of the bots that finds the solution; null if none is sure to. */
  level: string | null;
  /** The names of its themes. */
  themes: string[];
}

/** The puzzles of a game. */
export interface PuzzleCollection {
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The levels of its bots, the weakest first. */
  levels: Level[];
  /** The puzzles, in the order of the collection. */
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

/** The occupant of a seat of a new table. */
export interface SeatRequest {
  /** A person at this browser, a bot, or open for a player who joins later. */
  kind: SeatKind;
  /** The name of the person or the bot; a bot with an empty one gets one. */
  name: string;
  /** The level of a bot; null for others. */
  level: string | null;
}

/** The time control.

    More than a day must be per act. From a day (86,400 seconds) on, clocks run by the calendar, even while no server is
    running. A player whose time runs out loses, and the others share the win. */
export interface Clock {
  /** The time is for each act, or for the whole game. */
  per: 'act' | 'game';
  /** The time for each seat. */
  seconds: number;
  /** The seconds added for each act, if the time is for the game. */
  increment: number;
}

/** The length of a match. A shared win counts in part. Players rotate by one seat after each game. */
export interface Match {
  /** It ends when a player has a number of wins, or after a number of games, whose scores are added up. */
  until: 'wins' | 'games';
  /** The number of wins or games. */
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

/** Requests a seat at a public table: a matching one that waits for a player, otherwise a new one. */
export interface SeekRequest {
  /** The new table, which is public: one seat is the person's, and others are open. */
  table: TableRequest;
  /** The new code, which holds the person's seat. */
  code: string;
}

/** Takes the first open seat of a public table. */
export interface JoinRequest {
  /** The player's name. */
  name: string;
  /** The new code, which holds the seat. */
  code: string;
}

/** Links seats to the browser's cookie, as joining the table with their codes does. */
export interface HoldRequest {
  /** The codes of the seats. */
  codes: string[];
}

/** Opens the next game of a series, or a new match. */
export interface NextRequest {
  /** The client's seat codes. */
  codes: string[];
  /** The next seat begins; always so in a pair or a match. */
  rotate: boolean;
}

/** Opens a table to explore a position. */
export interface CopyRequest {
  /** The client's seat codes, if any. */
  codes: string[];
  /** The number of acts before the position. */
  seq: number;
}

/** Opens a game's record as a table, to be replayed. */
export interface RecordRequest {
  /** The text of the record. */
  record: string;
}

/** A new table. */
export interface TableCreated {
  /** The table's id. */
  table: string;
  /** The seat code of each person, by seat number. */
  codes: Record<string, string>;
  /** The codes that take the open seats, by seat number. */
  invites: Record<string, string>;
  /** The host's code; null if the table has no open seats. */
  host: string | null;
}

/** The seat that a player got. */
export interface Seated {
  /** The table's id. */
  table: string;
  /** The number of the seat. */
  seat: number;
  /** The host's code, if the table is new; otherwise null. */
  host: string | null;
  /** The codes that take the open seats, by seat number, if the table is new. */
  invites: Record<string, string>;
}

/** A seat as a client sees it. */
export interface Seat {
  /** Its number. */
  seat: number;
  /** Whether a person or a bot has it, or it is open. */
  kind: SeatKind;
  /** The name of its player; empty if it is open. */
  name: string;
  /** The level of a bot; null for others. */
  level: string | null;
  /** The colour of its pieces. */
  colour: string;
  /** The client holds its code. */
  mine: boolean;
  /** Its player has left the game. */
  gone: boolean;
}

/** A play-test: tables of a game for visitors of its link. */
export interface PlaytestCreated {
  /** Its id, which the link contains. */
  playtest: string;
  /** The designer's code, which opens the report. */
  code: string;
}

/** A play-test as visitors see it. */
export interface Playtest {
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** What the game is about, in a sentence. */
  summary: string;
}

/** A visitor's table. Anybody may take its open seats. */
export interface PlaytestVisit {
  /** The table's id. */
  table: string;
}

/** A visitor's remark. */
export interface PlaytestRemark {
  /** The visitor's name. */
  name: string;
  /** The number of acts before it. */
  seq: number;
  /** The last of these acts; empty at the start. */
  act: string;
  /** The remark. */
  text: string;
  /** The time, in milliseconds since 1970. */
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

/** Games between bots. */
export interface BotGames {
  /** The number of games. */
  games: number;
  /** The median number of players' acts. */
  acts: number;
  /** The share of the wins, by seat. */
  shares: number[];
}

/** The report of a play-test. */
export interface PlaytestReport {
  /** The title of the game. */
  title: string;
  /** The value of each option. */
  options: Record<string, Value>;
  /** The tables, the newest first. */
  tables: PlaytestTable[];
  /** Games between bots; left out until they have played. */
  bots?: BotGames;
}

/** The progress of a review. */
export interface ReviewProgress {
  /** The number of positions that are done. */
  done: number;
  /** The number of all positions; 0 before the review has begun. */
  of: number;
  /** The number of reviews of other games before it in the queue. */
  ahead: number;
  /** The value of each position to all seats, null while unknown; empty if the review contains no values. */
  worths: (number[] | null)[];
}

export type ReviewParts = Record<string, unknown>;

/** The review of a finished game without turns, from its rules and times alone. */
export interface RealTimeReview {
  type: 'real-time';
  /** What the review is made of. */
  parts: ReviewParts;
}

export type AnyReview = Review | RealTimeReview;

/** The verdict on another act at a position of a finished game, on the scale of the game's review. */
export interface Retried {
  /** It is the best known act, or as good. */
  is_right: boolean;
  /** Its seat's expected share of the game after it. */
  worth: number;
  /** The same after the best act. */
  best: number;
  /** The expected play after it, position by position; `seq` is counted from the position on. */
  reply: Frame[];
  /** The expected play from the position on, which is the first; `seq` is counted from there. */
  answer: Frame[];
}

/** A chat message. */
export interface ChatMessage {
  /** Its number, from 1. */
  number: number;
  /** The seat of the player. */
  seat: number;
  /** The player's name then. */
  name: string;
  /** The time, in milliseconds since 1970. */
  at: number;
  /** The message. */
  text: string;
}

/** The result of the game, sent when it is over. */
export interface Ending {
  /** The seed of chance, in hexadecimal; empty if a record is shown. */
  secret: string;
  /** The series with this game. */
  standing: Standing;
  /** Why the game ended; null if by a rule. */
  reason: Reason | null;
  /** The last hash of the log's chain, with which the record ends. */
  link: string;
  /** The game can be reviewed. */
  reviewable: boolean;
}

/** Why a request was refused. */
export interface Fault {
  /** The kind of reason, in a word. */
  code: string;
  /** The reason, in one sentence. */
  message: string;
  /** The id of the rule that refuses it; null if none does. */
  rule: string | null;
  /** The spaces concerned. */
  where: string[];
}

/** An act in the log of the game. */
export interface Line {
  /** Its number, from 1. */
  seq: number;
  /** The seat that acted; -1 is chance. */
  seat: number;
  /** Its notation. */
  text: string;
  /** What it caused, in order. */
  effects: Effect[];
  /** Its time, in milliseconds of the table's time; left out until the game is over. */
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

/** The whole table, in answer to `join`. */
export interface Welcome {
  type: 'welcome';
  /** The table. */
  table: TableInfo;
  /** The last page of lines, of which `history` requests earlier ones; null if the game hides its history until it is over. */
  lines: Line[] | null;
  /** The newest position. */
  frame: Frame;
  /** The result; null until the game is over. */
  ending: Ending | null;
}

/** What the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`. */
export interface Resumed {
  type: 'resumed';
  /** The table. */
  table: TableInfo;
  /** The lines that it missed. */
  lines: Line[];
  /** The newest position. */
  frame: Frame;
}

/** Changes of the list of public tables; at most once per second. */
export interface Listed {
  type: 'listed';
  /** New and changed tables. */
  tables: Listing[];
  /** The ids of tables that are no longer listed. */
  gone: string[];
  /** This is the complete list. */
  whole: boolean;
}

/** News of a tournament, at most once per second. */
export interface TournamentNews {
  type: 'tournament';
  /** Its current state. */
  tournament: Tournament;
}

/** The position has changed, by an act or by time alone. */
export interface NewFrame {
  type: 'frame';
  /** The newest position. */
  frame: Frame;
}

/** Acts were undone. */
export interface Rewound {
  type: 'rewound';
  /** The last page of lines, as in `welcome`. */
  lines: Line[] | null;
  /** The newest position. */
  frame: Frame;
}

/** The game is over. It follows the frame of the last act. */
export interface Over {
  type: 'over';
  /** The last page of lines, as in `welcome`. */
  lines: Line[] | null;
  /** The result. */
  ending: Ending;
}

/** A change of the table. */
export interface Changed {
  type: 'changed';
  /** The table. */
  table: TableInfo;
  /** The newest position, as the client now sees it. */
  frame: Frame;
  /** The seat that declined the open proposal or withdrew it; left out if none did. */
  dropped?: number;
}

/** The presence of players. */
export interface Presence {
  type: 'presence';
  /** The seats whose players are connected. */
  here: number[];
  /** The seats that a bot may take over. */
  replaceable: number[];
  /** In a game without turns, the known round-trip times of players in milliseconds, by seat. */
  lags?: Record<string, number>;
}

/** The piece in a player's hand. Every new position empties all hands. */
export interface Held {
  type: 'held';
  /** The player's seat. */
  seat: number;
  /** The piece, as a word of an act; null for nothing. */
  what: string | null;
}

/** The position of a player's hand over the board. */
export interface Aimed {
  type: 'aimed';
  /** The player's seat. */
  seat: number;
  /** x and y, in units of the layout; null: not over the board. */
  at: [number, number] | null;
}

/** Chat messages. */
export interface Said {
  type: 'said';
  /** The latest ones after a `join`, then each new one. */
  remarks: ChatMessage[];
}

/** The series goes on at another table. The seat codes are the same. */
export interface Next {
  type: 'next';
  /** The id of the table with the next game. */
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
  /** The lines of the page. */
  lines: Line[];
}

/** The answer to `look`. It lists no legal acts. */
export interface Past {
  type: 'past';
  /** The position. It lists no legal acts. */
  frame: Frame;
}

/** The values of the acts at a position. */
export interface Solved {
  type: 'solved';
  /** The number of acts before the position. */
  seq: number;
  /** The value of each legal act for the seat to act: "win", "draw" or "loss", or a score. */
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

/** A position is not analysed. */
export interface Unanalysed {
  type: 'unanalysed';
  /** The number of acts before the position. */
  seq: number;
  /** The reason, in one sentence. */
  why: string;
}

/** The request was stored and took effect. */
export interface Ack {
  type: 'ack';
  /** That of the request. */
  id: string;
  /** The number of acts after it. */
  seq: number;
}

/** The request had no effect. */
export interface Refused {
  type: 'refused';
  /** That of the request. */
  id: string;
  /** The reason. */
  fault: Fault;
}

/** The state of the bots. */
export interface Bots {
  type: 'bots';
  /** A bot thinks, or none does. */
  state: BotsState;
  /** The seat of the bot that thinks; null if none does. */
  seat: number | null;
  /** The approximate seconds until they play at the full strength of their levels; null: they do. */
  warming_up: number | null;
}

/** A message could not be read or handled. */
export interface ErrorMessage {
  type: 'error';
  /** The reason, in one sentence. */
  message: string;
}

export type ServerMessage = Welcome | Resumed | Listed | TournamentNews | NewFrame | Rewound | Over | Changed | Presence | Held | Aimed | Said | Next | RoundNews | Ping | Pong | Past | HistoryPage | Solved | Analysed | Unanalysed | Ack | Refused | Bots | ErrorMessage;

/** An address of the server's machine in a network. */
export interface Network {
  /** The address, as a number. */
  host: string;
  /** What the machine is connected by. */
  kind: 'wifi' | 'cable' | 'network' | 'vpn' | 'virtual';
  /** The name of the interface; empty if it is not known. */
  name: string;
  /** The address of the pages there; null while the server is not open to this network. */
  address: string | null;
}

/** The addresses of the pages for browsers on other machines.

    Pages on other machines than the server's get only a public address. */
export interface Addresses {
  /** The addresses, the likeliest first; empty if others can't open them. */
  others: string[];
  /** There is no address yet, and the page may open the server to one of the networks. */
  openable: boolean;
  /** The networks of the server's machine, the likeliest first; left out where the page may not open the server. */
  networks?: Network[];
}

/** Opens the server to one of its machine's networks, or closes it again. */
export interface NetworkRequest {
  /** The `host` of the network. */
  host: string;
  /** The server is to be open to it. */
  open: boolean;
}

/** Subscribes a browser to push notifications about seats, or unsubscribes it. */
export interface NoticesRequest {
  /** The codes of the seats. */
  codes: string[];
  /** That of the browser's `PushSubscription`. */
  endpoint: string;
  /** The key of this name of the `PushSubscription`. */
  p256dh: string;
  /** The key of this name of the `PushSubscription`. */
  auth: string;
  /** The browser is to be subscribed. */
  on: boolean;
}

/** The state of a browser's subscription to notices about its seats. */
export interface Notices {
  /** It is subscribed. */
  on: boolean;
}

/** The key that browsers subscribe with. */
export interface PushKey {
  /** The key in base64url; null if this server sends no notices. */
  key: string | null;
}

/** A request failed. */
export interface ErrorBody {
  /** The reason, in one sentence. */
  error: string;
}

/** A transfer for another browser. */
export interface TransferRequest {
  /** Its id, which reveals nothing about the key. */
  transfer: string;
  /** Its content, encrypted by the sender, in base64. */
  encrypted: string;
}

/** How long a transfer is stored. */
export interface TransferLeft {
  /** The number of seconds left. */
  seconds: number;
}

/** A transfer. */
export interface Transfer {
  /** Its content, still encrypted, in base64. */
  encrypted: string;
}

export type ProposalKind = 'undo' | 'fill' | 'draw' | 'pause' | 'resume';

export type Insight = 'now' | 'over' | 'alone' | 'never';

/** Something that an act caused. */
export interface Effect {
  /** The word for what happened. */
  kind: string;
  /** The spaces concerned. */
  spaces: string[];
  /** What the kind needs beside the spaces, such as a piece; null for nothing. */
  value: number | string | null;
}

/** How a game is won. */
export interface Manner {
  /** All win or lose together, against the game; left out if they don't. */
  cooperative?: boolean;
}

/** The position as one client may see it, with the fields that all games share. Each game adds its own (in its
    `view.py`). */
export interface View {
  cooperative?: boolean;
  /** The client's seat; null for watchers. */
  seat: number | null;
  /** The seats that may act; -1 is chance. */
  to_act: number[];
  /** The game is over. */
  over: boolean;
  /** The id of the rule that ended it; null while it goes on. */
  ended_by: string | null;
  /** The winning seats; empty while it goes on. */
  winners: number[];
  /** The points of each seat. */
  scores: number[];
}

export type Layout = Record<string, unknown>;

/** The clocks at the time of sending. */
export interface Clocks {
  /** The time left per seat, in milliseconds. */
  left: number[];
  /** The seats whose clocks run. */
  running: number[];
}

/** The standing of a series. */
export interface Standing {
  /** The number of games. */
  games: number;
  /** The total score of each seat. */
  scores: number[];
  /** The seats that lead, by tie-breaks too. */
  leaders: number[];
  /** The tournament rating of each seat; null in games that define none. */
  ratings: number[] | null;
  /** In a match, the wins of each seat; a shared win counts in part. */
  wins?: number[];
  /** The seats that have won the match; left out until it is decided. */
  match_winners?: number[];
}

/** A proposal of one seat to the others. It takes effect when all have agreed. */
export interface Proposal {
  /** The number that identifies it in a `vote`. */
  number: number;
  /** The seat that proposes. */
  by: number;
  /** What it proposes: an undo, a bot on a seat, a draw, a pause, or its end. */
  what: ProposalKind;
  /** The number of acts that an undo leaves, or the seat that a bot fills. */
  target: number;
  /** The seats that have yet to agree. */
  waiting: number[];
}

/** What has become of the rules of a prototype whose file was saved. */
export interface RulesNotice {
  /** What has happened, in a sentence or two. */
  message: string;
  /** What players may do: "back" takes back the moves that the new rules refuse, "keep" goes on with the old rules, and "again" plays what was taken back, as far as the rules allow. */
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

/** A tournament to open. All its tables have the same game, options and clock. */
export interface TournamentRequest {
  /** Its name. */
  name: string;
  /** The name of the game. */
  game: string;
  /** The options of the game; null is the default. */
  options: Options;
  /** A round robin of games for two; by the Swiss system, rounds that pair players of similar points; or rated: the same by the ratings of games that define them. */
  kind: TournamentKind;
  /** The number of rounds by the Swiss system, or rated. */
  rounds?: number;
  /** The time control; left out for none. */
  clock?: Clock;
  /** The lobby lists it while it is open or running. */
  public: boolean;
}

/** A public tournament in the lobby. */
export interface TournamentListing {
  /** The tournament's id. */
  id: string;
  /** Its name. */
  name: string;
  /** The name of the game. */
  game: string;
  /** The title of the game. */
  title: string;
  /** The time control; null for none. */
  clock: Clock | null;
  /** How its players are paired. */
  kind: TournamentKind;
  /** The number per table. */
  players: number;
  /** The planned number of rounds. */
  length: number;
  /** It is open to entrants, running or over. */
  state: 'open' | 'running' | 'over';
  /** The number of those who play on. */
  entrants: number;
  /** The number of rounds drawn. */
  round: number;
  /** In milliseconds since 1970. */
  created: number;
}

/** A new tournament. */
export interface TournamentCreated {
  /** Its id, by which others enter it. */
  tournament: string;
  /** The organizer's code. */
  code: string;
}

/** Enters a tournament that has not begun: a person, or, by its organizer, a bot. */
export interface EnterRequest {
  /** The name of the entrant. */
  name: string;
  /** The new code of a person, who holds it at every table. */
  code?: string;
  /** The level of a bot. */
  level?: string;
}

/** A tournament was entered. */
export interface Entered {
  /** The number of the entrant; always the same for the same code. */
  entrant: number;
}

/** A decision of the organizer. */
export interface OrganizerRequest {
  /** To start the first round, to remove an entrant from further rounds, or to forfeit an entrant's game of this round. */
  do: 'start' | 'remove' | 'forfeit';
  /** The number of the entrant. */
  entrant?: number;
  /** The id of the table of the game. */
  table?: string;
}

/** A player of a tournament. */
export interface Entrant {
  /** Its name. */
  name: string;
  /** The level of a bot; null for a person. */
  level: string | null;
  /** It plays in no further rounds. */
  gone: boolean;
}

/** A table of a round. */
export interface TournamentTable {
  /** The table's id. */
  table: string;
  /** The numbers of entrants, by seat. */
  seats: number[];
  /** The win of each seat, of which a shared one counts in part; null until the game is over. */
  wins: number[] | null;
  /** The score of each seat. */
  scores: number[];
  /** The entrant who did not play; null if all did. */
  forfeit: number | null;
}

/** A round. */
export interface TournamentRound {
  /** Its tables. */
  tables: TournamentTable[];
  /** The entrants who sit out. */
  out: number[];
}

/** The standing of an entrant. */
export interface TournamentLine {
  /** The place, from 1. */
  place: number;
  /** The number of the entrant. */
  entrant: number;
  /** The wins, or the rating. */
  points: number;
  /** The number of games played. */
  played: number;
  /** Tie-breaks, the most important first: in a round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger; then the sums of the game's scores and of its own tie-break points. If rated, the sum of scores only. */
  breaks: number[];
}
