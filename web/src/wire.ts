/** The messages between server and browser. Types only; the rules and their words stay on the server. */

export type Value = string | number | boolean | null | Value[];
export type Options = Record<string, Value>;

/** One rule switch of a game, as the lobby offers it. */
export interface OptionSpec {
  name: string;
  kind: 'choice' | 'int' | 'bool' | 'float' | 'list';
  default: Value;
  choices?: Value[];
  min?: number;
  max?: number;
  help: string;
  rule: string | null;
}

/** A strength of the computer players; `GameInfo.levels` lists the weakest first. */
export interface Level {
  name: string;
  title: string;
  about: string;
}

export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  players: [min: number, max: number];
  default_players: number;
  options: OptionSpec[];
  presets: Record<string, Options>;
  levels: Level[];
  colours: string[];
}

export interface SeatRequest {
  kind: 'person' | 'bot';
  name: string;
  level: string | null;
}

export interface TableRequest {
  game: string;
  options: Options;
  seats: SeatRequest[];
}

/** `codes`: the secret code of each person's seat, by seat number. */
export interface TableCreated {
  table: string;
  codes: Record<string, string>;
}

export interface RulesText {
  title: string;
  html: string;
}

export interface Seat {
  seat: number;
  kind: 'person' | 'bot';
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

/** The fixed picture of a table's board, in the game's own fields. */
export type Layout = Record<string, unknown>;

/** The position after `seq` acts; `legal` lists the acts of this browser's seats that may act now. */
export interface Frame {
  seq: number;
  line: Line | null;
  view: View;
  legal: Record<string, string[]>;
}

/** `local`: one browser holds every person's seat, so acts may be taken back. */
export interface TableInfo {
  id: string;
  game: string;
  title: string;
  options: Options;
  layout: Layout;
  seats: Seat[];
  local: boolean;
}

export type BotsState = 'waking' | 'thinking' | 'ready';

export type Join = { type: 'join'; table: string; codes: string[] };
export type Act = { type: 'act'; id: string; seat: number; text: string };
export type Undo = { type: 'undo'; id: string; to: number };
export type Look = { type: 'look'; seq: number };
export type ClientMessage = Join | Act | Undo | Look;

export type Welcome = { type: 'welcome'; table: TableInfo; lines: Line[]; frame: Frame };
export type NewFrame = { type: 'frame'; frame: Frame };
export type Rewound = { type: 'rewound'; lines: Line[]; frame: Frame };
export type Past = { type: 'past'; frame: Frame };
export type Ack = { type: 'ack'; id: string; seq: number };
export type Refused = { type: 'refused'; id: string; fault: Fault };
export type Bots = { type: 'bots'; state: BotsState; seat: number | null };
export type ErrorMessage = { type: 'error'; message: string };
export type ServerMessage = Welcome | NewFrame | Rewound | Past | Ack | Refused | Bots | ErrorMessage;
