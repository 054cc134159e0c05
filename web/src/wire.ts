/** The messages between server and browser. Written by tools/wire_types.py from src/icetable/table/wire.py. */

export type Value = string | number | boolean | null | Value[];

export type Options = Record<string, Value>;

export type Kind = 'choice' | 'int' | 'bool' | 'float' | 'list';

export type SeatKind = 'person' | 'bot';

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

/** What the lobby knows of a game: `players` is the least and the most, `colours` go by seat. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  players: [number, number];
  default_players: number;
  options: OptionSpec[];
  presets: Record<string, Options>;
  levels: Level[];
  colours: string[];
}

/** Who is to sit on a seat; `level` is for bots. */
export interface SeatRequest {
  kind: SeatKind;
  name: string;
  level: string | null;
}

/** A table to be opened; an option that is null is left at its default. */
export interface TableRequest {
  game: string;
  options: Options;
  seats: SeatRequest[];
}

/** The next game of a series, by who holds `codes`; with `rotate` the next seat begins. */
export interface NextRequest {
  codes: string[];
  rotate: boolean;
}

/** `codes`: the secret code of each person's seat, by seat number. */
export interface TableCreated {
  table: string;
  codes: Record<string, string>;
}

/** A game's rules as HTML; each rule's paragraph has the rule's id. */
export interface RulesText {
  title: string;
  html: string;
}

/** Why a request was not granted, in one sentence. */
export interface Complaint {
  error: string;
}

/** A seat as a visitor sees it; `mine`: this browser holds its code. */
export interface Seat {
  seat: number;
  kind: SeatKind;
  name: string;
  level: string | null;
  colour: string;
  mine: boolean;
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

/** One act of the game; `seq` counts from 1, seat -1 is nature. */
export interface Line {
  seq: number;
  seat: number;
  text: string;
  effects: Effect[];
}

/** What every game's view has; a game's own fields are read by its module under games/. */
export interface View {
  seat: number | null;
  to_act: number[];
  over: boolean;
  ended_by: string | null;
  winners: number[];
  scores: number[];
  [own: string]: unknown;
}

export type Layout = Record<string, unknown>;

/** The position after `seq` acts; `legal` lists the acts of this browser's seats that may act now.

    `undo`: where taking back the last act of a person leads; left out where this browser can't. */
export interface Frame {
  seq: number;
  line: Line | null;
  view: View;
  legal: Record<string, string[]>;
  undo?: number;
}

/** What the games of a series add up to, by seat, and who leads, also by what decides between equal scores. */
export interface Standing {
  games: number;
  scores: number[];
  leaders: number[];
}

/** `local`: one browser holds every person's seat, so acts may be taken back.

    `commitment`: the SHA-256 of what nature draws from, in hexadecimal digits. `solvable`: what the acts are worth can
    be asked for. `standing`: of the series before this game. */
export interface TableInfo {
  id: string;
  game: string;
  title: string;
  options: Options;
  layout: Layout;
  seats: Seat[];
  local: boolean;
  commitment: string;
  solvable: boolean;
  standing: Standing | null;
}

/** What is told when the game is over.

    `secret`: what nature drew from, in hexadecimal digits. `standing`: of the series with this game. */
export interface Ending {
  secret: string;
  standing: Standing;
}

/** The first message: whoever has no code that fits watches. */
export interface Join {
  type: 'join';
  table: string;
  codes: string[];
}

/** An act of a seat; the browser's own `id` makes sure that it counts once however often it is sent. */
export interface Act {
  type: 'act';
  id: string;
  seat: number;
  text: string;
}

/** Back to the position after `to` acts. */
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

/** What is each act worth that is legal after `seq` acts? A newer question takes the place of one that waits. */
export interface Solve {
  type: 'solve';
  seq: number;
}

export type ClientMessage = Join | Act | Undo | Look | Solve;

/** The whole table, in answer to a join. `lines` is null where the game hides its history until it is over. */
export interface Welcome {
  type: 'welcome';
  table: TableInfo;
  lines: Line[] | null;
  frame: Frame;
  ending: Ending | null;
}

/** The newest position, after an act. */
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

/** The answer to a look; nothing is legal in the past. */
export interface Past {
  type: 'past';
  frame: Frame;
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

export type ServerMessage = Welcome | NewFrame | Rewound | Over | Past | Solved | Ack | Refused | Bots | ErrorMessage;
