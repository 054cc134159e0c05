/** The state of a table in the browser: a fold over the server's messages and local events. */

import type {
  Aimed,
  Analysed,
  Bots,
  Ending,
  Fault,
  Frame,
  Held,
  Line,
  Presence,
  ChatMessage,
  RoundNews,
  Seen,
  ServerMessage,
  Solved,
  TableInfo,
  Unanalysed,
  View,
} from '../../wire';
import { withMessages } from './chat';
import { acknowledged, refused, type PendingAct, type PendingRequest } from './on-their-way';

export interface TableState {
  table: TableInfo | null;
  /** The known acts up to the latest, without a gap; null: the game hides them until it is over. */
  lines: Line[] | null;
  /** The newest position. */
  live: Frame | null;
  /** The result and the secret of chance, once the game is over. */
  ending: Ending | null;
  /** The number of the requested earlier position; null: the newest is shown. */
  looking: number | null;
  /** The earlier position shown; it stays until the requested one arrives. */
  past: Frame | null;
  /** The solved values received last. */
  solved: Solved | null;
  /** The analysis received last, or why there is none. */
  analysis: Analysed | Unanalysed | null;
  presence: Pick<Presence, 'here' | 'replaceable' | 'lags'>;
  /** The piece in the hand of a player at another browser, at the newest position. */
  held: Held | null;
  /** The positions of the others' hands over the board, by seat. */
  aims: Readonly<Record<number, Aimed>>;
  chat: ChatMessage[];
  /** The id of the next game of the series, once it is open. */
  next: string | null;
  /** What follows a finished game of a tournament. */
  round: RoundNews | null;
  bots: Pick<Bots, 'state' | 'seat' | 'warming_up'>;
  /** The unanswered requests; a position arrives before the answer to its act. */
  pending: readonly PendingRequest[];
  fault: Fault | null;
  error: string | null;
}

/** The code of a local fault: a choice at the board had no effect. */
export const IDLE_CODE = 'idle';

/** An event in the browser. */
export type LocalEvent =
  | { type: 'asked'; id: string; act?: PendingAct }
  | { type: 'looking'; seq: number }
  | { type: 'returned' }
  | { type: 'idle'; message: string; rule: string | null }
  | { type: 'dismissed' };

export const INITIAL_STATE: TableState = {
  table: null,
  lines: [],
  live: null,
  ending: null,
  looking: null,
  past: null,
  solved: null,
  analysis: null,
  presence: { here: [], replaceable: [] },
  held: null,
  aims: {},
  chat: [],
  next: null,
  round: null,
  bots: { state: 'ready', seat: null, warming_up: null },
  pending: [],
  fault: null,
  error: null,
};

export function reduce(state: TableState, event: ServerMessage | LocalEvent): TableState {
  switch (event.type) {
    case 'welcome':
      return arrive(
        { ...join(state, event.table), ending: event.ending, solved: null, analysis: null, chat: [] },
        event.lines,
        event.frame,
      );
    case 'resumed':
      return arrive(join(state, event.table), append(state.lines, event.lines), event.frame);
    case 'rewound':
      return arrive({ ...state, ending: null, solved: null, analysis: null, fault: null }, event.lines, event.frame);
    case 'frame':
      return arrive(
        outdates(event, state) ? { ...state, fault: null, error: null } : state,
        append(state.lines, event.frame.line ? [event.frame.line] : []),
        event.frame,
      );
    case 'over':
      return { ...state, lines: event.lines, ending: event.ending, fault: null, error: null };
    case 'changed':
      return { ...state, table: event.table, live: event.frame };
    case 'presence':
      return { ...state, presence: event };
    case 'held':
      if (event.what !== null) return { ...state, held: event };
      return state.held?.seat === event.seat ? { ...state, held: null } : state;
    case 'aimed':
      return { ...state, aims: { ...state.aims, [event.seat]: event } };
    case 'said':
      return { ...state, chat: withMessages(state.chat, event.remarks) };
    case 'next':
      return { ...state, next: event.table };
    case 'round':
      return { ...state, round: event };
    case 'listed':
    case 'tournament':
    case 'ping':
    case 'pong':
      return state;
    case 'past':
      return event.frame.seq === state.looking ? { ...state, past: event.frame } : state;
    case 'history':
      return { ...state, lines: prepend(state.lines, event.lines) };
    case 'solved':
      return { ...state, solved: event };
    case 'analysed':
    case 'unanalysed':
      return { ...state, analysis: event };
    case 'ack':
      return { ...state, pending: acknowledged(state.pending, event.id) };
    case 'refused':
      if (!state.pending.some(({ id }) => id === event.id)) return state; // dropped with the act that it depends on
      return { ...state, pending: refused(state.pending, event.id), fault: event.fault };
    case 'bots':
      return { ...state, bots: { state: event.state, seat: event.seat, warming_up: event.warming_up } };
    case 'error':
      return { ...state, error: event.message };
    case 'asked':
      return { ...state, pending: [...state.pending, { id: event.id, act: event.act ?? null }], fault: null };
    case 'looking':
      if (!state.live || !state.lines || event.seq >= state.live.seq) return backToLive(state);
      return { ...state, looking: Math.max(0, event.seq), fault: null };
    case 'returned':
      return backToLive(state);
    case 'idle':
      return { ...state, fault: { code: IDLE_CODE, message: event.message, rule: event.rule, where: [] } };
    case 'dismissed':
      return { ...state, fault: null, error: null };
  }
}

/** Whether notes about the previous position are obsolete. Without turns, acts are too frequent to end them. */
export function outdates(event: ServerMessage | LocalEvent, { table }: TableState): boolean {
  if (event.type === 'frame') return event.frame.view.over || (table?.turns ?? false);
  return event.type === 'rewound' || event.type === 'over';
}

/** The position shown. */
export function shown(state: TableState): Frame | null {
  return state.looking === null ? state.live : (state.past ?? state.live);
}

/** Whether the next act has to wait for an answer: with turns to any request, otherwise to those about the table. */
export function isWaiting({ pending, table }: TableState): boolean {
  return pending.some(({ act }) => act === null || (table?.turns ?? true));
}

/** The seat of this browser that acts now: of several on one screen, the one whose turn it is. */
export function actingSeat(state: TableState): number | null {
  if (!state.live || state.looking !== null || isWaiting(state)) return null;
  const seats = Object.keys(state.live.legal).map(Number);
  return seats.length > 0 ? Math.min(...seats) : null;
}

/** The solved values of the position shown, if they are known. */
export function verdicts(state: TableState): Solved['values'] | undefined {
  return state.solved?.seq === shown(state)?.seq ? state.solved?.values : undefined;
}

/** The analysis of the position after `seq` acts, or why there is none. */
export function analysisAt({ analysis }: TableState, seq: number): Analysed | Unanalysed | null {
  return analysis?.seq === seq ? analysis : null;
}

/** Whether this browser may see values of positions: never while somebody may be competing here. */
function maySeeValues({ table, live }: TableState): boolean {
  if (table?.insight === 'over' || table?.insight === 'alone') return live?.view.over ?? false;
  return table?.insight === 'now';
}

/** Whether another player, but not this browser, may analyse positions of the game under way. */
export function othersMayAnalyse({ table, live }: TableState): boolean {
  return table?.insight === 'alone' && table.analysable && !(live?.view.over ?? false);
}

/** Whether the server shows the solved values of this table's positions now. */
export function isSolvable(state: TableState): boolean {
  return (state.table?.solvable ?? false) && maySeeValues(state);
}

/** Whether the server analyses the positions of this table now. */
export function mayAnalyse(state: TableState): boolean {
  return (state.table?.analysable ?? false) && maySeeValues(state);
}

export function legalActs(state: TableState): string[] {
  const seat = actingSeat(state);
  return seat === null ? [] : (state.live?.legal[seat] ?? []);
}

/** Whether every seat that is not a bot's is this browser's: it can take back acts and start a new game. */
export function isOurs(table: TableInfo): boolean {
  return table.seats.every((seat) => seat.kind === 'bot' || seat.mine);
}

/** The seats whose turn it is, also while chance acts for one of them. */
export function turnOf(view: (View & { turn_of?: number }) | undefined): number[] {
  const acting = view?.to_act.filter((seat) => seat >= 0) ?? [];
  return acting.length === 0 && view?.turn_of !== undefined ? [view.turn_of] : acting;
}

export function hasSeat(table: TableInfo): boolean {
  return table.seats.some((seat) => seat.mine);
}

/** Whether a draw can be offered: only during the game, at a table without bots. */
export function mayOfferDraw(state: TableState): boolean {
  const seats = state.table?.seats ?? [];
  return mayOffer(state) && seats.length > 1 && seats.every((seat) => seat.kind !== 'bot');
}

/** Whether the game can be paused: only if time counts. */
export function mayPause(state: TableState): boolean {
  const { table } = state;
  return mayOffer(state) && table !== null && !table.paused && (table.clock !== null || !table.turns);
}

/** The seats of this browser that may resign: those to act, or else all. */
export function mayResign(state: TableState): number[] {
  const { table, live } = state;
  if (!table?.started || !live || live.view.over || isWaiting(state)) return [];
  const mine = table.seats.filter((seat) => seat.mine).map(({ seat }) => seat);
  const acting = mine.filter((seat) => live.view.to_act.includes(seat));
  return acting.length > 0 ? acting : mine;
}

export function mayResume(state: TableState): boolean {
  return mayOffer(state) && (state.table?.paused ?? false);
}

function mayOffer(state: TableState): boolean {
  const { table, live } = state;
  return table !== null && table.started && hasSeat(table) && !table.proposal && !live?.view.over && !isWaiting(state);
}

/** The position that an undo leads to; null if nothing can be taken back, as when the game is over. */
export function undoTarget(state: TableState): number | null {
  return isWaiting(state) || state.live?.view.over ? null : (state.live?.undo ?? null);
}

/**
 * The position that an analysis board would start from: the one shown or, if that is the end of the game, the one
 * before this browser’s last act. Null if there is none, while the game hides its history, and for a record.
 */
export function exploreStart(state: TableState): number | null {
  const frame = shown(state);
  if (!frame || !state.lines || state.table?.record) return null;
  if (!frame.view.over) return frame.seq;
  const own = state.lines.findLast(({ seat }) => state.table?.seats[seat]?.mine);
  return own ? own.seq - 1 : null;
}

/** Whether the game can be reviewed; never before it is over. */
export function isReviewable({ live, ending }: TableState): boolean {
  return (live?.view.over ?? false) && (ending?.reviewable ?? false);
}

/** The number of the first known act; 1 if none is known. */
export function firstKnown(lines: Line[] | null): number {
  return lines?.[0]?.seq ?? 1;
}

/** Whether the act that led to the position shown is not known yet. */
export function lacksPast({ looking, lines }: TableState): boolean {
  return looking !== null && Math.max(1, looking) < firstKnown(lines);
}

/** Whether an act is missing, so that the table has to be joined again. */
export function hasGap(state: TableState): boolean {
  return state.live !== null && state.lines !== null && lastKnown(state.lines) !== state.live.seq;
}

/** The seats that have yet to choose in secret; undefined: none. */
export function stillAsked(view: View): number[] | undefined {
  return (view as { asked?: number[] }).asked;
}

/** Whether secret choices have just been revealed, so that the acts withheld meanwhile are available. */
export function isHistoryRevealed({ lines, live }: TableState): boolean {
  if (lines !== null || !live?.line) return false;
  return live.line.effects.some(({ kind, value }) => kind === 'reveals' && typeof value === 'string');
}

/** What the server need not send again after a loss of connection: the acts so far, if all are known. */
export function seen(state: TableState): Seen | undefined {
  if (!state.live || !state.lines || hasGap(state)) return undefined;
  return { seq: state.live.seq, entry: state.live.entry ?? 0 };
}

function lastKnown(lines: Line[]): number {
  return lines.at(-1)?.seq ?? 0;
}

/** Appends acts, unless that would leave a gap. */
function append(lines: Line[] | null, more: Line[]): Line[] | null {
  return lines && more[0]?.seq === lastKnown(lines) + 1 ? [...lines, ...more] : lines;
}

/** Prepends the page just before the acts, and ignores any other. */
function prepend(lines: Line[] | null, page: Line[]): Line[] | null {
  return lines?.[0] && page.at(-1)?.seq === lines[0].seq - 1 ? [...page, ...lines] : lines;
}

/** Updates the state after joining for the first time, or again. */
function join(state: TableState, table: TableInfo): TableState {
  return { ...state, table, error: null, bots: INITIAL_STATE.bots };
}

function arrive(state: TableState, lines: Line[] | null, live: Frame): TableState {
  const isLost = state.looking !== null && (!lines || state.looking >= live.seq);
  return { ...(isLost ? backToLive(state) : state), lines, live, held: null, aims: {} };
}

function backToLive(state: TableState): TableState {
  return { ...state, looking: null, past: null };
}
