/** What the browser knows of a table: a fold of the server's messages and of the requests made here. */

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
  Seen,
  ServerMessage,
  Solved,
  TableInfo,
  Unanalysed,
} from '../../wire';
import { withMessages } from './chat';
import { acknowledged, refused, type Asked, type Deed } from './on-their-way';

export interface TableState {
  table: TableInfo | null;
  /** The last acts, without a gap, as far back as they are known; null: the game hides them until it is over. */
  lines: Line[] | null;
  /** The newest position. */
  live: Frame | null;
  /** The result and the secret of chance, once the game is over. */
  ending: Ending | null;
  /** The number of the earlier position asked for; null: the newest is on show. */
  looking: number | null;
  /** The earlier position on show; the last one stays until the one asked for is here. */
  past: Frame | null;
  /** The solved values last received. */
  solved: Solved | null;
  /** What was last told of the worth of a position, or why it is not told. */
  analysis: Analysed | Unanalysed | null;
  presence: Pick<Presence, 'here' | 'replaceable' | 'lags'>;
  /** What a player at another browser has in hand at the newest position. */
  held: Held | null;
  /** Where over the board the others have their hands, by seat. */
  aims: Readonly<Record<number, Aimed>>;
  /** The chat messages received. */
  chat: ChatMessage[];
  /** The id of the next game of the series, once it is open. */
  next: string | null;
  bots: Pick<Bots, 'state' | 'seat' | 'warming_up'>;
  /** The requests that wait for their answers; a position comes before the answer to the act that led to it. */
  pending: readonly Asked[];
  fault: Fault | null;
  error: string | null;
}

/** The code of a fault that the browser itself finds: nothing could be done, so that no act was made. */
export const IDLE = 'idle';

/** What happens in the browser. */
export type Doing =
  | { type: 'asked'; id: string; act?: Deed }
  | { type: 'looking'; seq: number }
  | { type: 'returned' }
  | { type: 'idle'; message: string }
  | { type: 'dismissed' };

export const NOTHING: TableState = {
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
  bots: { state: 'ready', seat: null, warming_up: null },
  pending: [],
  fault: null,
  error: null,
};

export function reduce(state: TableState, event: ServerMessage | Doing): TableState {
  switch (event.type) {
    case 'welcome':
      return arrive(
        { ...back(state, event.table), ending: event.ending, solved: null, analysis: null, chat: [] },
        event.lines,
        event.frame,
      );
    case 'resumed':
      return arrive(back(state, event.table), followed(state.lines, event.lines), event.frame);
    case 'rewound':
      return arrive({ ...state, ending: null, solved: null, analysis: null, fault: null }, event.lines, event.frame);
    case 'frame':
      return arrive(
        outdates(event, state) ? { ...state, fault: null, error: null } : state,
        followed(state.lines, event.frame.line ? [event.frame.line] : []),
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
    case 'listed':
    case 'tournament':
    case 'ping':
    case 'pong':
      return state;
    case 'past':
      return event.frame.seq === state.looking ? { ...state, past: event.frame } : state;
    case 'history':
      return { ...state, lines: preceded(state.lines, event.lines) };
    case 'solved':
      return { ...state, solved: event };
    case 'analysed':
    case 'unanalysed':
      return { ...state, analysis: event };
    case 'ack':
      return { ...state, pending: acknowledged(state.pending, event.id) };
    case 'refused':
      if (!state.pending.some(({ id }) => id === event.id)) return state; // it followed what was refused already
      return { ...state, pending: refused(state.pending, event.id), fault: event.fault };
    case 'bots':
      return { ...state, bots: { state: event.state, seat: event.seat, warming_up: event.warming_up } };
    case 'error':
      return { ...state, error: event.message };
    case 'asked':
      return { ...state, pending: [...state.pending, { id: event.id, act: event.act ?? null }], fault: null };
    case 'looking':
      if (!state.live || !state.lines || event.seq >= state.live.seq) return present(state);
      return { ...state, looking: Math.max(0, event.seq), fault: null };
    case 'returned':
      return present(state);
    case 'idle':
      return { ...state, fault: { code: IDLE, message: event.message, rule: null, where: [] } };
    case 'dismissed':
      return { ...state, fault: null, error: null };
  }
}

/** Whether what was told of the position before is of no use any more. Where all play at once, acts come too fast. */
export function outdates(event: ServerMessage | Doing, { table }: TableState): boolean {
  if (event.type === 'frame') return event.frame.view.over || (table?.turns ?? false);
  return event.type === 'rewound' || event.type === 'over';
}

/** The position on show. */
export function shown(state: TableState): Frame | null {
  return state.looking === null ? state.live : (state.past ?? state.live);
}

/** Whether an answer has to come first: in turns to everything, elsewhere to what is not an act. */
export function isWaiting({ pending, table }: TableState): boolean {
  return pending.some(({ act }) => act === null || (table?.turns ?? true));
}

/** The seat of this browser that acts now: of several on one screen the one whose turn it is. */
export function actingSeat(state: TableState): number | null {
  if (!state.live || state.looking !== null || isWaiting(state)) return null;
  const seats = Object.keys(state.live.legal).map(Number);
  return seats.length > 0 ? Math.min(...seats) : null;
}

/** The solved values of the position on show, where they are known. */
export function verdicts(state: TableState): Solved['values'] | undefined {
  return state.solved?.seq === shown(state)?.seq ? state.solved?.values : undefined;
}

/** What is known of the worth of the position after `seq` acts, or why it is not told. */
export function foundAt({ analysis }: TableState, seq: number): Analysed | Unanalysed | null {
  return analysis?.seq === seq ? analysis : null;
}

/** Whether this browser is told what positions are worth: never while somebody may be competing here. */
function isTold({ table, live }: TableState): boolean {
  if (table?.insight === 'over' || table?.insight === 'alone') return live?.view.over ?? false;
  return table?.insight === 'now';
}

/** Whether another player may be told what positions of the game under way are worth, and this browser is not. */
export function isToldToOthers({ table, live }: TableState): boolean {
  return table?.insight === 'alone' && table.analysable && !(live?.view.over ?? false);
}

/** Whether the server tells the solved values of this table's positions now. */
export function isSolvable(state: TableState): boolean {
  return (state.table?.solvable ?? false) && isTold(state);
}

/** Whether the server analyses the positions of this table now. */
export function mayAnalyse(state: TableState): boolean {
  return (state.table?.analysable ?? false) && isTold(state);
}

export function legalActs(state: TableState): string[] {
  const seat = actingSeat(state);
  return seat === null ? [] : (state.live?.legal[seat] ?? []);
}

/** Whether every seat that is not a bot's is this browser's: it can take back acts and start anew. */
export function isOurs(table: TableInfo): boolean {
  return table.seats.every((seat) => seat.kind === 'bot' || seat.mine);
}

/** Whether this browser has a seat. */
export function hasSeat(table: TableInfo): boolean {
  return table.seats.some((seat) => seat.mine);
}

/** Whether a draw can be offered: only at a table without bots, during the game. */
export function mayOfferDraw(state: TableState): boolean {
  const seats = state.table?.seats ?? [];
  return mayOffer(state) && seats.length > 1 && seats.every((seat) => seat.kind !== 'bot');
}

/** Whether the game can be paused: only where time runs. */
export function mayPause(state: TableState): boolean {
  const { table } = state;
  return mayOffer(state) && table !== null && !table.paused && (table.clock !== null || !table.turns);
}

/** The seats of this browser that may resign: the one that is to act, else each. */
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

/** The position that an undo leads to; null where nothing can be taken back, as when the game is over. */
export function undoTarget(state: TableState): number | null {
  return isWaiting(state) || state.live?.view.over ? null : (state.live?.undo ?? null);
}

/**
 * The position that a private table would start from: the one on show, or, where the game is over there, the one before
 * this browser’s last act. Null where there is none, while the game hides its history, and where a record is shown.
 */
export function exploreStart(state: TableState): number | null {
  const frame = shown(state);
  if (!frame || !state.lines || state.table?.record) return null;
  if (!frame.view.over) return frame.seq;
  const own = state.lines.findLast(({ seat }) => state.table?.seats[seat]?.mine);
  return own ? own.seq - 1 : null;
}

/** Whether there is a review of the game; never before it is over. */
export function isReviewable({ live, ending }: TableState): boolean {
  return (live?.view.over ?? false) && (ending?.reviewable ?? false);
}

/** The number of the first known act; 1 also where none is known. */
export function firstKnown(lines: Line[] | null): number {
  return lines?.[0]?.seq ?? 1;
}

/** Whether the act that led to the position on show is not known yet. */
export function lacksPast({ looking, lines }: TableState): boolean {
  return looking !== null && Math.max(1, looking) < firstKnown(lines);
}

/** Whether an act is missing: then the table has to be joined again. */
export function hasGap(state: TableState): boolean {
  return state.live !== null && state.lines !== null && lastKnown(state.lines) !== state.live.seq;
}

/** Whether acts can be had that a game of the workshop withheld: what seats have chosen in secret is shown. */
export function isShownAgain({ table, lines, live }: TableState): boolean {
  if (lines !== null || !table || !('workshop' in table.layout)) return false;
  return live?.line?.effects.some(({ kind }) => kind === 'reveals') ?? false;
}

/** What the server need not send again after a loss: the acts up to the newest position, if all are known. */
export function seen(state: TableState): Seen | undefined {
  if (!state.live || !state.lines || hasGap(state)) return undefined;
  return { seq: state.live.seq, entry: state.live.entry ?? 0 };
}

function lastKnown(lines: Line[]): number {
  return lines.at(-1)?.seq ?? 0;
}

/** The acts with those that follow, unless that would leave a gap. */
function followed(lines: Line[] | null, more: Line[]): Line[] | null {
  return lines && more[0]?.seq === lastKnown(lines) + 1 ? [...lines, ...more] : lines;
}

/** The acts with the page just before them; any other page is ignored. */
function preceded(lines: Line[] | null, page: Line[]): Line[] | null {
  return lines?.[0] && page.at(-1)?.seq === lines[0].seq - 1 ? [...page, ...lines] : lines;
}

/** Joined for the first time, or again. */
function back(state: TableState, table: TableInfo): TableState {
  return { ...state, table, error: null, bots: NOTHING.bots };
}

function arrive(state: TableState, lines: Line[] | null, live: Frame): TableState {
  const gone = state.looking !== null && (!lines || state.looking >= live.seq);
  return { ...(gone ? present(state) : state), lines, live, held: null, aims: {} };
}

function present(state: TableState): TableState {
  return { ...state, looking: null, past: null };
}
