/** Calls to players who are looking elsewhere, and their sounds. Nothing in them is secret. */

import type { Sound } from '../../app/sounds';
import { list } from '../../app/words';
import { soundsOf, type AnySounds } from '../../board/sounds';
import type { Line, Seat, ServerMessage, TableInfo, View } from '../../wire';
import { newMessages } from '../state/chat';
import { hasSeat, type TableState } from '../state/table-state';
import { proposalWords, resultWords, roundWords } from '../state/words';

export interface Summons {
  what: 'turn' | 'start' | 'bell' | 'offer' | 'chat' | 'next' | 'over';
  /** "Your turn – High Rise against Ann". */
  title: string;
}

interface Chat {
  after: number;
  muted: string[];
}

export const SUMMONS_SOUNDS: Record<Summons['what'], Sound> = {
  turn: 'turn',
  start: 'turn',
  bell: 'bell',
  offer: 'chat',
  chat: 'chat',
  next: 'chat',
  over: 'turn',
};

/** Whether the game waits for a player at this browser. If all players are here, nobody has to be called. */
export function isTurn({ table, live }: TableState): boolean {
  if (!table?.turns || !table.started || table.paused || !live || live.view.over) return false;
  const { seats } = table;
  return seats.some(({ mine }) => !mine) && seats.some(({ seat, mine }) => mine && live.view.to_act.includes(seat));
}

/** The call for a message; null: none. `chat`: the last message that was announced, and the muted names. */
export function summons(
  before: TableState,
  now: TableState,
  message: ServerMessage,
  sounds: AnySounds | undefined,
  chat: Chat,
): Summons | null {
  const { table } = now;
  if (!table || !before.table || !hasSeat(table)) return null;
  const words = callWords(before, now, message, sounds, chat);
  const about = message.type === 'round' ? message.name : gameWords(table);
  return words && { ...words, title: `${words.title} – ${about}` };
}

function callWords(
  before: TableState,
  now: TableState,
  message: ServerMessage,
  sounds: AnySounds | undefined,
  chat: Chat,
): Summons | null {
  const table = now.table!;
  if (message.type === 'said') {
    const [first] = newMessages(now.chat, chat.after, table.seats, chat.muted);
    return first ? { what: 'chat', title: `${first.name} wrote` } : null;
  }
  if (message.type === 'next') return { what: 'next', title: 'The next game is ready' };
  if (message.type === 'round') return message.table === null ? null : { what: 'next', title: roundWords(message) };
  const { proposal } = table;
  if (proposal && proposal.number !== before.table?.proposal?.number && table.seats.some((seat) => asks(seat, now)))
    return { what: 'offer', title: proposalWords(table.seats, proposal) };
  if (!table.turns) return message.type === 'frame' ? eventWords(message.frame.line, sounds) : null;
  if (isTurn(now) && !isTurn(before)) return { what: 'turn', title: 'Your turn' };
  if (!before.table?.started && table.started) return { what: 'start', title: 'The game begins' };
  if (now.live?.view.over && before.live && !before.live.view.over && table.seats.some(({ mine }) => !mine))
    return { what: 'over', title: resultWords(table.seats, now.live.view, now.ending) };
  return null;
}

/** Whether a seat of this browser has to answer the proposal. */
function asks({ seat, mine }: Seat, { table }: TableState): boolean {
  return mine && (table?.proposal?.waiting.includes(seat) ?? false);
}

/** Without turns, only the start and the bell call players; games identify them by their sounds. */
function eventWords(line: Line | null, sounds: AnySounds | undefined): Summons | null {
  const found = line && sounds ? soundsOf(sounds, line, line.effects) : [];
  if (found.includes('bell')) return { what: 'bell', title: 'The bell has rung' };
  return found.includes('turn') ? { what: 'start', title: 'Play begins' } : null;
}

/** "High Rise against Ann and Ben". */
function gameWords({ title, seats }: TableInfo): string {
  const others = seats.filter(({ mine, name }) => !mine && name !== '').map(({ name }) => name);
  return others.length > 0 ? `${title} against ${list(others)}` : title;
}

/** The sound of a result: `win` or `lose` for a single player at this browser, `draw` for all others. */
export function resultSound(seats: Seat[], { winners }: View): Sound {
  const own = seats.filter(({ mine }) => mine);
  const [only, another] = own;
  if (!only || another || seats.length === 1 || winners.length === 0 || winners.length === seats.length) return 'draw';
  return winners.includes(only.seat) ? 'win' : 'lose';
}
