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

/** The effect of an act. `kind`: whether its seat, -1 for chance, had a choice.

    `best` is the act that the search prefers, null for chance, and `line` its principal variation. `regret`: what the
    act cost its own seat; `stake`: what a random choice would have cost it on average; `gifts`: what it gave to the
    other seats; `luck`: what chance gave to each seat; `drift`: the change in the search's own opinion. `label`: a word
    for a costly act. */
export interface ReviewedAct {
  seat: number;
  act: string;
  kind: ActKind;
  best: string | null;
  line: string[];
  regret: number;
  stake: number;
  gifts: number[];
  luck: number[];
  drift: number[];
  label: ActLabel | null;
}

/** Where a seat's share of a game came from: share = start + luck + gifts - regret + drift + end.

    `start`: its worth in the first position. `end`: what it won or lost if the game ended before its rules did, or 0.
    `unforced` of its `decisions` had an alternative. `luck_adjusted`: the share without luck. `error_rate`: the mean
    regret of an unforced decision, in thousandths of a share. `accuracy`: the part of the stakes that it kept, from 0
    (as at random) to 1; null if too few choices mattered, or if no study has found the search to be reliable. */
export interface ReviewedSeat {
  share: number;
  start: number;
  luck: number;
  gifts: number;
  regret: number;
  drift: number;
  end: number;
  decisions: number;
  unforced: number;
  luck_adjusted: number;
  error_rate: number;
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

/** The newest position that a client has with all acts before it: `seq` and `entry` of its frame, 0 at the start. */
export interface Seen {
  seq: number;
  entry: number;
}

/** Joins a table, as the first message. A client without a fitting seat code watches.

    `seen`: what the client still has from before; the answer is then `resumed` if possible, else `welcome`. */
export interface Join {
  type: 'join';
  table: string;
  codes: string[];
  seen?: Seen;
}

/** Follows the list of public tables, in place of a table. The answers are `listed`, as long as the socket lasts.

    `tournament`: follows that one instead; the answers are `tournament`. */
export interface Watch {
  type: 'watch';
  tournament?: string;
}

/** An act of a seat, in the game's notation. It counts once, even if the client sends it again with the same `id`.

    A client may send several acts without waiting for the answers. `after`: the id of an act of the same seat without
    which this one makes no sense; if that was refused, this one is too. `lapsed`: the act is sent again, too late to
    count; the answer says whether it had counted before. `lag`: the round-trip time in milliseconds,
    which the clock does not count, up to a bound. `seen`: the `entry` of the newest frame that the player saw. In a
    game without turns an act that fails only because of what others did since is refused without a penalty, if the
    round trip that the server has measured allows for it. */
export interface Act {
  type: 'act';
  id: string;
  seat: number;
  text: string;
  lag?: number;
  after?: string;
  seen?: number;
  lapsed?: boolean;
}

/** Undoes all acts after the first `to`: at once at a local table, elsewhere as a proposal to the other players. */
export interface Undo {
  type: 'undo';
  id: string;
  to: number;
}

/** Asks for the position after `seq` acts. The answer is `past`. */
export interface Look {
  type: 'look';
  seq: number;
}

/** Asks for the page of lines that ends before line `before`. The answer is `history`. */
export interface History {
  type: 'history';
  before: number;
}

/** Measures the round-trip time. The answer is a `pong` of the same number. In a game without turns the server
    sends a `ping` of its own after that, which the client answers likewise. */
export interface Ping {
  type: 'ping';
  number: number;
}

/** The answer to `ping`, at once. */
export interface Pong {
  type: 'pong';
  number: number;
}

/** Asks for the value of each legal act after `seq` acts. The answer is `solved`.

    A newer question replaces one that waits. */
export interface Solve {
  type: 'solve';
  seq: number;
}

/** Asks what the position after `seq` acts and each legal act there are worth; null: no more answers are wanted.

    The answers are `analysed`, each by a deeper search than the one before, or `unanalysed`. A newer question
    replaces the last one. */
export interface Analyse {
  type: 'analyse';
  seq: number | null;
}

/** Shows the others what a player has in hand before the act: a word of a legal act, null for nothing.

    It is not stored and has no answer, except an error for a seat of another client.
    A word of no legal act counts as null. */
export interface Hold {
  type: 'hold';
  seat: number;
  what: string | null;
}

/** Shows the others where over the board a player has a hand, in a game without turns; null: nowhere.

    `at`: x and y, in units of the layout. It is not stored and has no answer, except an error for a seat of another
    client. Of more than a few in a second some are left out, and all of them where the table does not show hands. */
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

/** Gives a seat the new `code` and voids the old one, to pass it on. The host may do this with open seats. */
export interface HandOver {
  type: 'hand-over';
  id: string;
  seat: number;
  code: string;
}

/** Puts a bot on a seat: on an open one by the host, on one whose player is gone as a proposal to the others. */
export interface Fill {
  type: 'fill';
  id: string;
  seat: number;
  level: string;
}

/** Proposes a draw, a pause or its end to the other players. */
export interface Offer {
  type: 'offer';
  id: string;
  what: 'draw' | 'pause' | 'resume';
}

/** A seat gives up, which ends the game: the other seats share the win. A player who plays alone wins nothing. */
export interface Resign {
  type: 'resign';
  id: string;
  seat: number;
}

/** Agrees to proposal `number` or rejects it. The player who made it withdraws it by rejecting it. */
export interface Vote {
  type: 'vote';
  id: string;
  number: number;
  agree: boolean;
}

/** Sends a chat message to all clients at the table. It is not part of the game.

    `remark`: nobody at the table gets it; the server keeps it for the designer of a prototype, with the position after
    this number of acts. */
export interface Say {
  type: 'say';
  id: string;
  text: string;
  remark?: number;
}

export type Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote;

export type ClientMessage = Join | Watch | Ping | Pong | Look | History | Solve | Analyse | Hold | Aim | Say | Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote;

/** A game. `players`: the least and the greatest number of players. `colours`: one for each seat.

    `turns`: the game is turn-based, so it can be played with a clock; otherwise all seats act at any time. `lots`: its
    rules draw lots for the seats. `measured`: what games of bots have shown, in a few sentences, by the number of
    players. `playing_time`: such as "8 to 17 minutes", empty where it is not known, and `favours`: the seat that wins
    clearly more than its share, if one does; both with the usual number of players. `workshop`: a prototype, a file of
    plain Python. */
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
  lots: boolean;
  measured: Record<string, string>;
  playing_time: string;
  favours: number | null;
  workshop: boolean;
}

/** A public table in the lobby. `created`: in milliseconds since 1970. `live`: clients may watch it now.

    `options`: those that are not as usual. `pair` and `match`: as of a table to open. `plays_like`: the level of bots
    that the player who waits claims to equal. */
export interface Listing {
  id: string;
  game: string;
  title: string;
  created: number;
  seats: Seat[];
  started: boolean;
  live: boolean;
  options: Options;
  clock: Clock | null;
  pair: boolean;
  match: Match | null;
  plays_like: string | null;
}

/** A table in a list of a browser's tables. `turns`: the game is turn-based.

    `length`: how many entries its log has; `when`: the time of the last one, in milliseconds since 1970. `hidden`: the
    game is shown when it is over, and until then it is hidden: `length` is 0, and `when` is when the table was
    created. `to_act`, `over`, `winners`, `scores`, `ended_by` and `cooperative` are as in a view; `reason`: what ended
    the game, if no rule did. `explore`: it is a table for trying things, and not a game. `due`: when the time of a
    player who is to act is up, in milliseconds since 1970; null where no clock runs. */
export interface Summary {
  id: string;
  game: string;
  title: string;
  turns: boolean;
  seats: Seat[];
  started: boolean;
  hidden: boolean;
  paused: boolean;
  length: number;
  when: number;
  to_act: number[];
  over: boolean;
  winners: number[];
  scores: number[];
  ended_by: string | null;
  reason: Reason | null;
  explore: boolean;
  due: number | null;
  cooperative: boolean;
}

export type Value = string | number | boolean | null | Value[];

export type Options = Record<string, Value>;

export type SeatKind = 'person' | 'bot' | 'open';

export type Kind = 'choice' | 'int' | 'bool' | 'float' | 'list';

/** One of two or more ways to play that players should weigh: what to call it, and what it is like. */
export interface Reading {
  label: string;
  about: string;
}

/** An option of a game. `rule` is the id of the rule that it changes; `min` and `max` bound a number.

    `recommended`: the value to suggest to newcomers. `labels` say the `choices` in words and `readings`
    describe them, both in their order. */
export interface OptionSpec {
  name: string;
  kind: Kind;
  default: Value;
  help: string;
  rule: string | null;
  recommended: Value;
  choices?: Value[];
  min?: number;
  max?: number;
  readings?: Reading[];
  labels?: string[];
}

/** A level of the bots; `GameInfo.levels` lists the weakest first.

    `about`: what it does; `by_players`: the same for each number of players, where it differs. */
export interface Level {
  name: string;
  title: string;
  about: string;
  by_players?: Record<string, string>;
}

/** A game's rules as HTML. The paragraph of each rule has the rule's id.

    `colours`: of the seats in the drawings, by seat. */
export interface RulesText {
  title: string;
  html: string;
  colours: string[];
}

/** The position after `seq` acts. `line`: the last act. `legal`: the legal acts of the client's seats, by seat.

    `undo`: the `to` of an undo of the last act of a person; left out if the client can't ask for one. `entry`: the
    number of the last act in the table's log, for `Seen`; left out at the start. `due`: by seat, the milliseconds until
    time acts in its place, at the moment of sending; left out where that happens to no seat. */
export interface Frame {
  seq: number;
  line: Line | null;
  view: View;
  legal: Record<string, string[]>;
  undo?: number;
  clocks?: Clocks;
  entry?: number;
  due?: Record<string, number>;
}

/** A step of a lesson: the task (`told`), a hint, and the praise when it is done.

    `rules`: the ids of the rules that it is about. `seat`: the learner's seat. */
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

/** Whether the task of a step was done at a table. */
export interface Learned {
  done: boolean;
}

/** A puzzle of a collection: the task, the solver's seat, and what it is about (`themes`).

    `options`: how it is played where that is not as usual; numbers show on the board. `waits`: it may be right to do
    nothing. `level`: the weakest level of the bots that finds the answer; null where none is sure to. */
export interface PuzzleListed {
  name: string;
  task: string;
  seat: number;
  options: Options;
  waits: boolean;
  level: string | null;
  themes: string[];
}

/** The puzzles of a game, in the order of the collection. `levels`: those of its bots, the weakest first. */
export interface PuzzleCollection {
  game: string;
  title: string;
  levels: Level[];
  puzzles: PuzzleListed[];
}

/** What became of a puzzle at a table. `is_right`: null as long as there is more to do. `told`: why, in a sentence.

    `worth`: what the act that was made is worth to its seat, in shares of the game, and `best` what the right one is;
    null where that is unknown. `reply`: how a wrong act is refuted, position by position, from the one after it on.
    `answer`: the play to expect, from the first position on. Both are empty as long as there is more to do. */
export interface PuzzleVerdict {
  is_right: boolean | null;
  told: string;
  worth: number | null;
  best: number | null;
  reply: Frame[];
  answer: Frame[];
}

/** Who takes a seat of a new table: a person at this browser, a bot of a `level`, or a player who takes it later.

    A bot whose `name` is empty is given one. */
export interface SeatRequest {
  kind: SeatKind;
  name: string;
  level: string | null;
}

/** The time control: `seconds` for each act, or for all acts of a game with `increment` seconds more for each act.

    More than a day is for each act. From a day on (86,400 seconds) time goes by the calendar, whether a server runs or
    not. A player whose time runs out loses, and the others share the win. */
export interface Clock {
  per: 'act' | 'game';
  seconds: number;
  increment: number;
}

/** The length of a match. It ends when a player has this `number` of wins, or after this `number` of games, whose
    scores add up. A shared win counts in part. Players move one seat on after each game. */
export interface Match {
  until: 'wins' | 'games';
  number: number;
}

/** A table to open. An option that is null has its default value.

    `public`: the lobby lists the table, and every client may take its open seats. `live`: watchers see the game while
    it is played. `lots`: seats are assigned at random when all of them are taken. `clock`: the time control.
    `pair`: two players play two games, and change seats for the second. `explore`: the table is for trying things, by
    one client with a person on each seat; its positions are analysed at any time. `hands`: in a game without turns, all
    see where over the board the others have their hands; unless it is false. `match`: it is the first table of a match.
    `plays_like`: the level of bots that the player who opens it claims to equal, for the list of public tables. */
export interface TableRequest {
  game: string;
  options: Options;
  seats: SeatRequest[];
  public?: boolean;
  live?: boolean;
  lots?: boolean;
  clock?: Clock;
  pair?: boolean;
  explore?: boolean;
  hands?: boolean;
  match?: Match;
  plays_like?: string;
}

/** A public table that somebody wants to play at: one that waits for such a player, else a new one.

    One seat is the person's, who holds it with `code`, and others are open; it is public. */
export interface SeekRequest {
  table: TableRequest;
  code: string;
}

/** Takes the first open seat of a table that anybody may join. From then on `code` holds it. */
export interface JoinRequest {
  name: string;
  code: string;
}

/** Has the browser's cookie stand for the seats that codes open, as joining the table with them does. */
export interface HoldRequest {
  codes: string[];
}

/** The next game of a series, or of a new match. `codes`: the client's seat codes.

    `rotate`: the next seat begins; in a pair and in a match always. */
export interface NextRequest {
  codes: string[];
  rotate: boolean;
}

/** A table for one client to explore the position after `seq` acts. `codes`: the client's seat codes, if any. */
export interface CopyRequest {
  codes: string[];
  seq: number;
}

/** The text of a game's record, to be watched again. */
export interface RecordRequest {
  record: string;
}

/** A new table. `codes`: the seat code of each person, by seat number.

    `invites`: the codes with which the open seats are taken. `host`: the host's code, if the table has open seats. */
export interface TableCreated {
  table: string;
  codes: Record<string, string>;
  invites: Record<string, string>;
  host: string | null;
}

/** The seat that a player has got. `host` and `invites`: as of a new table, where it was opened for the player. */
export interface Seated {
  table: string;
  seat: number;
  host: string | null;
  invites: Record<string, string>;
}

/** A parcel that waits for another browser. `sealed`: what is in it, encrypted there, in base64.

    `parcel`: its id, which tells nothing of the key. */
export interface ParcelRequest {
  parcel: string;
  sealed: string;
}

/** For how many `seconds` a parcel waits. */
export interface ParcelLeft {
  seconds: number;
}

/** What was in a parcel, still `sealed`, in base64. */
export interface Parcel {
  sealed: string;
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

/** A play-test: tables of a game for whoever follows its link. `code`: its designer's, who alone sees the report. */
export interface PlaytestCreated {
  playtest: string;
  code: string;
}

/** What visitors of a play-test are shown first. */
export interface Playtest {
  game: string;
  title: string;
  summary: string;
}

/** The table of a visitor, whose open seats anybody may take. */
export interface PlaytestVisit {
  table: string;
}

/** What a visitor found wrong after act number `seq`; `at`: in milliseconds since 1970. */
export interface PlaytestRemark {
  name: string;
  seq: number;
  act: string;
  text: string;
  at: number;
}

/** A table of a play-test. `acts`: those of players. `thinking`: the seconds that each seat took for an act, in the
    median; null for bots. `record`: where it was asked for. What a game hides waits for its end. */
export interface PlaytestTable {
  table: string;
  created: number;
  seats: Seat[];
  acts: number;
  over: boolean;
  winners: number[];
  scores: number[];
  thinking: (number | null)[];
  remarks: PlaytestRemark[];
  record?: string;
}

/** Games that bots played among themselves. `acts`: of players, in the median. `shares`: of the wins, by seat. */
export interface BotGames {
  games: number;
  acts: number;
  shares: number[];
}

/** What the designer of a play-test learns, the newest table first. `bots`: as soon as they have played. */
export interface PlaytestReport {
  title: string;
  options: Record<string, Value>;
  tables: PlaytestTable[];
  bots?: BotGames;
}

/** How far a review is that is still worked out: `done` of its `of` positions; 0 of 0 before it has begun.

    `ahead`: how many reviews of other games come before it. `worths`: what each position is worth to all seats, null
    where that is not known yet; empty where the review tells of no worth. */
export interface ReviewProgress {
  done: number;
  of: number;
  ahead: number;
  worths: (number[] | null)[];
}

export type Told = Record<string, unknown>;

/** A game without turns that is over, as its rules and times alone tell of it. */
export interface RealTimeReview {
  type: 'real-time';
  told: Told;
}

export type AnyReview = Review | RealTimeReview;

/** What another act would have been at a position of a game that is over, by the measure of the game's review.

    `is_right`: it is the best that is known, or as good. `worth`: what its seat can expect after it, in shares of the
    game, and `best` after the best act. `reply`: the play to expect after it, position by position. `answer`: the play
    to expect from the position on, which is the first. Positions are counted from there. */
export interface Retried {
  is_right: boolean;
  worth: number;
  best: number;
  reply: Frame[];
  answer: Frame[];
}

/** A chat message. `number` counts from 1; `name`: of the player then; `at`: in milliseconds since 1970. */
export interface ChatMessage {
  number: number;
  seat: number;
  name: string;
  at: number;
  text: string;
}

/** What a client learns when the game is over.

    `secret`: what chance was drawn from, in hexadecimal; empty where a record is shown. `standing`: the series with
    this game. `reason`: what ended the game, if no rule did. `link`: the last hash of the log's chain, with which the
    record ends. `reviewable`: there is a review of the game. */
export interface Ending {
  secret: string;
  standing: Standing;
  reason: Reason | null;
  link: string;
  reviewable: boolean;
}

/** Why a request was refused: a code, a sentence, the id of the rule that says so, and the spaces concerned. */
export interface Fault {
  code: string;
  message: string;
  rule: string | null;
  where: string[];
}

/** An act in the log of the game. `seq` counts from 1; seat -1 is chance.

    `at`: when it was made, in milliseconds of the table's time; only after the game is over. */
export interface Line {
  seq: number;
  seat: number;
  text: string;
  effects: Effect[];
  at?: number;
}

/** A table as a client sees it.

    `turns`: the game is turn-based. `local`: one browser holds the seats of all persons, so acts can be undone at once.
    `commitment`: the SHA-256 of the secret from which chance is drawn, in hexadecimal. `solvable`: `solve` is answered.
    `analysable`: `analyse` is answered. `insight`: when the client may see what positions are worth: now, when the game
    is over, never at this table, or alone: when the game is over, but a client that holds all seats may see it now.
    `standing`: the series before this game. `started`: all seats are taken. `host`: the client opened the table.
    `guest`: the open seats that the client may take. `hidden`: the client sees only the start until the game is over.
    `paused`: clocks stand still, and no seat may act. `unattended`: that is because all had left. `pair`: two games
    belong together, with seats changed. `lots`: who sits where is, or was, drawn by lot. `record`: the table only shows
    a record from a file. `explore`: it is a table for trying things, and not a game. `hands`: `aim` is shown to the
    others. `match`: the match that its game belongs to. `tournament`: the id of the tournament that it counts in. */
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
  analysable: boolean;
  insight: Insight;
  standing: Standing | null;
  started: boolean;
  public: boolean;
  host: boolean;
  guest: number[];
  hidden: boolean;
  clock: Clock | null;
  paused: boolean;
  unattended: boolean;
  proposal: Proposal | null;
  pair: boolean;
  lots: boolean;
  record: boolean;
  explore: boolean;
  hands: boolean;
  match: Match | null;
  tournament: string | null;
}

/** A tournament as everybody may see it. `players`: at each table. `length`: how many rounds there are to be. */
export interface Tournament {
  name: string;
  game: string;
  title: string;
  options: Options;
  clock: Clock | null;
  kind: TournamentKind;
  players: number;
  length: number;
  state: 'open' | 'running' | 'over';
  entrants: Entrant[];
  rounds: TournamentRound[];
  standings: TournamentLine[];
}

export type BotsState = 'thinking' | 'ready';

/** The whole table, in answer to `join`, with the last page of lines; `history` asks for earlier ones.

    `lines` is null if the game hides its history until it is over. `ending` is null until then. */
export interface Welcome {
  type: 'welcome';
  table: TableInfo;
  lines: Line[] | null;
  frame: Frame;
  ending: Ending | null;
}

/** What the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`. */
export interface Resumed {
  type: 'resumed';
  table: TableInfo;
  lines: Line[];
  frame: Frame;
}

/** The public tables that are new or have changed, and the ids of those that are `gone`; at most once a second.

    `whole`: these are all that there are. */
export interface Listed {
  type: 'listed';
  tables: Listing[];
  gone: string[];
  whole: boolean;
}

/** A tournament as it is now, at most once a second. */
export interface TournamentNews {
  type: 'tournament';
  tournament: Tournament;
}

/** The newest position, after an act or after a change by time alone. */
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

/** Something about the table has changed. `frame`: the newest position, as the client sees it now.

    `dropped`: the seat that declined the open proposal or withdrew it, if one did. */
export interface Changed {
  type: 'changed';
  table: TableInfo;
  frame: Frame;
  dropped?: number;
}

/** `here`: the seats whose players are connected. `replaceable`: the seats that a bot may take over.

    `lags`: in a game without turns, the round-trip times of the players in milliseconds, by seat, where they are known. */
export interface Presence {
  type: 'presence';
  here: number[];
  replaceable: number[];
  lags?: Record<string, number>;
}

/** What a player has in hand, null for nothing. With every new position all hands are empty. */
export interface Held {
  type: 'held';
  seat: number;
  what: string | null;
}

/** Where over the board a player has a hand, as x and y in units of the layout; null for nowhere. */
export interface Aimed {
  type: 'aimed';
  seat: number;
  at: [number, number] | null;
}

/** Chat messages: the last ones after a `join`, then each new one. */
export interface Said {
  type: 'said';
  remarks: ChatMessage[];
}

/** The next game of the series was opened at this table. The seat codes are the same. */
export interface Next {
  type: 'next';
  table: string;
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

/** What the position after `seq` acts is worth: the share of the game that each seat can expect; they add up to 1.

    `seat` is to act, -1 for chance, null where the game is over. `candidates`: its legal acts, the best first.
    `outcomes`: those of chance, where they can be listed. `exact`: the game is over, or solved from here.
    `simulations`: of this search. `last`: no deeper search follows. */
export interface Analysed {
  type: 'analysed';
  seq: number;
  simulations: number;
  last: boolean;
  seat: number | null;
  worth: number[];
  exact: boolean;
  candidates: AnalysedAct[];
  outcomes: AnalysedOutcome[];
}

/** The position after `seq` acts is not analysed, for the reason in one sentence. */
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

/** What the bots do: the bot of `seat` thinks, or none does (ready).

    `warming_up`: about how many seconds until they play as well as their levels can; null: they do. */
export interface Bots {
  type: 'bots';
  state: BotsState;
  seat: number | null;
  warming_up: number | null;
}

/** A message could not be read or handled, for the reason in one sentence. */
export interface ErrorMessage {
  type: 'error';
  message: string;
}

export type ServerMessage = Welcome | Resumed | Listed | TournamentNews | NewFrame | Rewound | Over | Changed | Presence | Held | Aimed | Said | Next | Ping | Pong | Past | HistoryPage | Solved | Analysed | Unanalysed | Ack | Refused | Bots | ErrorMessage;

/** Where browsers on other machines find the pages, the likeliest first. None: only this machine can open them.

    Pages that were not opened on the server's own machine get a public address only. `openable`: there is none yet, and
    the page may have the server listen in its local network. */
export interface Addresses {
  others: string[];
  openable: boolean;
}

/** A browser to be told, though its pages are closed, of the seats that `codes` hold; or no more, if it is not `on`.

    The address of its push service and its keys are those of the browser's `PushSubscription`. */
export interface NoticesRequest {
  codes: string[];
  endpoint: string;
  p256dh: string;
  auth: string;
  on: boolean;
}

/** Whether a browser is told of its seats. */
export interface Notices {
  on: boolean;
}

/** The key by which browsers subscribe to the notices of this server, in base64url; null: it sends none. */
export interface PushKey {
  key: string | null;
}

/** Why a request failed, in one sentence. */
export interface ErrorBody {
  error: string;
}

export type ProposalKind = 'undo' | 'fill' | 'draw' | 'pause' | 'resume';

export type Insight = 'now' | 'over' | 'alone' | 'never';

/** Something that an act caused. */
export interface Effect {
  kind: string;
  spaces: string[];
  value: number | string | null;
}

/** How a game is won. `cooperative`: all win or lose together, against the game; left out where they don't. */
export interface Manner {
  cooperative?: boolean;
}

/** The position as one client may see it, with the fields that all games share. Each game
    adds fields of its own (`view.py` of the game).

    `seat`: the seat from which it is seen, null for watchers. `to_act`: the seats that may act. */
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

/** The time left for each seat, in milliseconds at the moment of sending, and the seats whose clocks run. */
export interface Clocks {
  left: number[];
  running: number[];
}

/** The standing of a series: the number of games, the total score of each seat, and the seats that lead.

    `leaders` takes tie-breaks into account. `ratings`: tournament ratings, in games that define them. In a match `wins`
    are those of each seat, and `match_winners` the seats that have won it, as soon as it is decided. */
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

export type TournamentKind = 'round-robin' | 'swiss' | 'rated';

/** A tournament to open: each of its tables has this game, with `options` (null: the default) and `clock`.

    `kind`: everybody against everybody in games of two; by the Swiss system, so many `rounds` between those who stand
    alike; or rated like that, by the rating of games that have one. */
export interface TournamentRequest {
  name: string;
  game: string;
  options: Options;
  kind: TournamentKind;
  rounds?: number;
  clock?: Clock;
}

/** A tournament, which others enter by its id. `code`: its organizer's. */
export interface TournamentCreated {
  tournament: string;
  code: string;
}

/** Enters a tournament that has not begun: a person, who holds `code` at every table, or for its organizer a bot of
    a `level`. */
export interface EnterRequest {
  name: string;
  code?: string;
  level?: string;
}

/** The number of an entrant; the same one for the same code. */
export interface Entered {
  entrant: number;
}

/** What the organizer decides: the first round starts; an entrant plays no more, or has forfeited the game at a
    table of this round. */
export interface OrganizerRequest {
  do: 'start' | 'remove' | 'forfeit';
  entrant?: number;
  table?: string;
}

/** Somebody who has entered a tournament; bots have a `level`. `gone`: plays in no further round. */
export interface Entrant {
  name: string;
  level: string | null;
  gone: boolean;
}

/** A table of a round. `seats`: the numbers of entrants, by seat. `wins` and `scores` by seat; `wins` is null until
    the game is over, a shared win counts in part. `forfeit`: who did not play. */
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

/** How an entrant stands. `points`: of wins, or the rating. `breaks` decide between equal points, the weightiest
    first: in a round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger;
    then the sums of the game's scores and of its own tie-break points. Rated, the sum of scores decides alone. */
export interface TournamentLine {
  place: number;
  entrant: number;
  points: number;
  played: number;
  breaks: number[];
}
