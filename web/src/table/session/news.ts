/** What a screen reader says about a message from the server. */

import { counted, withStop } from '../../app/words';
import { capital } from '../../board/words';
import type { GameView } from '../../board/game-view';
import type { Changed, Ending, Fault, Frame, Proposal, Resumed, ServerMessage, TableInfo, Welcome } from '../../wire';
import { sumWords } from '../state/pair';
import type { TableState } from '../state/table-state';
import {
  droppedWords,
  nextWords,
  proposalWords,
  reasonWords,
  resultWords,
  roundWords,
  scoreWords,
  turnWords,
  waitingWords,
  warmingWords,
  who,
} from '../state/words';

export interface News {
  polite?: string;
  assertive?: string;
}

/** `before` is the state before the message; nothing is said until the table is known. */
export function news(before: TableState, message: ServerMessage, view: GameView | undefined): News {
  if (message.type === 'welcome' || message.type === 'resumed') return { polite: welcomeNews(before, message, view) };
  if (message.type === 'error') return { assertive: message.message };
  const table = before.table;
  if (!table) return {};
  switch (message.type) {
    case 'frame':
      return { polite: frameNews(table, message.frame, view) };
    case 'rewound':
      return {
        polite: join(`Taken back to ${position(message.frame.seq)}.`, standing(table, message.frame, view)),
      };
    case 'over':
      return { polite: endNews(before, table, message.ending, view) };
    case 'past':
      if (message.frame.seq !== before.looking) return {};
      return { polite: join(`${capital(position(message.frame.seq))}.`, actNews(table, message.frame, view)) };
    case 'changed':
      return { polite: seatNews(table, message, view) };
    case 'presence':
      return { polite: presenceNews(table, before.presence.here, message.here) };
    case 'next':
      return { polite: `${nextWords(table.seats)}.` };
    case 'round':
      return { polite: `${roundWords(message)}.` };
    case 'refused':
      return { assertive: faultNews(message.fault) };
    case 'bots':
      return warmingNews(before.bots.warming_up, message.warming_up);
    default:
      return {};
  }
}

/** Announces the start and the end, but not each estimate in between. */
function warmingNews(before: number | null, now: number | null): News {
  if ((before === null) === (now === null)) return {};
  return { polite: now === null ? 'The computer plays at full strength.' : `${warmingWords(now)}.` };
}

export function position(seq: number): string {
  return seq === 0 ? 'the start' : `move ${seq}`;
}

/** Who is to act, or how the game ended and why. */
export function standing(
  table: TableInfo,
  frame: Frame,
  game: GameView | undefined,
  ending: Ending | null = null,
): string {
  const { seats } = table;
  const { view } = frame;
  if (!table.started) return withStop(waitingWords(seats, table.guest));
  if (table.paused && !view.over) return pausedNews(table);
  if (!view.over && !table.turns && !game) return '';
  if (!view.over) return withStop(turnWords(seats, view, game?.gathers?.(view)));
  const result = spokenCounts(resultWords(seats, view, ending));
  const rule = view.ended_by ? `Rule ${view.ended_by}.` : '';
  return join(withStop(result), withStop(scoreWords(seats, view)), reasonWords(table, view, game), rule);
}

/** What could not be said before the words of the game were loaded; empty if nothing was missing. */
export function withheld({ table, live }: TableState, game: GameView | undefined): string {
  return table && live && !standing(table, live, undefined) ? standing(table, live, game) : '';
}

function pausedNews({ unattended }: TableInfo): string {
  return join('Game paused.', unattended ? 'Nobody was here.' : '');
}

function welcomeNews(before: TableState, message: Welcome | Resumed, game: GameView | undefined): string {
  const { table, frame } = message;
  const ending = message.type === 'welcome' ? message.ending : null;
  if (!before.live) return join(withStop(table.title), standing(table, frame, game, ending));
  const common = message.type === 'resumed' ? before.live.seq : commonActs(before, message);
  const missed = frame.seq - common;
  const undone = common < before.live.seq ? `Taken back to ${position(common)}.` : '';
  const caughtUp = missed > 0 ? `${counted(missed, 'move')} ${missed === 1 ? 'was' : 'were'} made meanwhile.` : '';
  return join('Reconnected.', undone, caughtUp, standing(table, frame, game, ending));
}

/** The number of known acts that are still valid, as far as can be seen. */
function commonActs({ live, lines }: TableState, message: Welcome): number {
  const now = new Map(message.lines?.map((line) => [line.seq, line]));
  const first = Math.min(...now.keys());
  const other = lines?.find(({ seq, seat, text }) => {
    const line = now.get(seq);
    return seq >= first && (line?.seat !== seat || line.text !== text);
  });
  return Math.min(other ? other.seq - 1 : (live?.seq ?? 0), message.frame.seq);
}

/** The fate of the proposal that was open before; empty if it was carried out. */
export function droppedNews(before: TableInfo, { table, frame, dropped }: Changed): string {
  const { proposal } = before;
  if (!proposal || table.proposal?.number === proposal.number || isDone(proposal, table, frame)) return '';
  return frame.view.over ? '' : droppedWords(table.seats, proposal, dropped);
}

function seatNews(before: TableInfo, message: Changed, game: GameView | undefined): string {
  const { table, frame } = message;
  const { proposal } = table;
  if (proposal && proposal.number !== before.proposal?.number) return withStop(proposalWords(table.seats, proposal));
  if (table.paused !== before.paused)
    return table.paused ? pausedNews(table) : join('Game resumed.', standing(table, frame, game));
  const dropped = droppedNews(before, message);
  if (dropped) return dropped;
  const came = table.seats.filter(({ seat, kind, name }) => kind !== 'open' && before.seats[seat]?.name !== name);
  const left = table.seats.filter(({ seat, gone }) => gone && !before.seats[seat]?.gone);
  return join(
    ...came.map(({ seat }) => `${who(table.seats, seat)} at seat ${seat + 1}.`),
    ...left.map(({ name }) => `${name} has left.`),
    came.length > 0 || table.started !== before.started ? standing(table, frame, game) : '',
  );
}

/** Whether a proposal was carried out: its result is announced separately. */
function isDone({ what, target }: Proposal, table: TableInfo, frame: Frame): boolean {
  if (what === 'undo') return frame.seq === target;
  if (what === 'fill') return table.seats[target]?.kind === 'bot';
  if (what === 'pause' || what === 'resume') return table.paused === (what === 'pause');
  return frame.view.over;
}

/** The result of a game that was broken off, and the standing of the series. */
function endNews({ live }: TableState, table: TableInfo, ending: Ending, game: GameView | undefined): string {
  const words = live && ending.reason !== null ? standing(table, live, game, ending) : '';
  return join(words, withStop(spokenCounts(sumWords(table, ending))));
}

/** "You win 51 to 5": a count as it is read aloud. */
function spokenCounts(words: string): string {
  return words.replaceAll(/(\d)–(?=\d)/g, '$1 to ');
}

function presenceNews(table: TableInfo, before: number[], here: number[]): string {
  const others = table.seats.filter((seat) => seat.kind === 'person' && !seat.mine);
  return others
    .filter(({ seat }) => before.includes(seat) !== here.includes(seat))
    .map(({ seat, name }) => `${name} is ${here.includes(seat) ? 'here' : 'away'}.`)
    .join(' ');
}

/** Without turns, neither acts without effects nor the seats to act are announced. */
function frameNews(table: TableInfo, frame: Frame, view: GameView | undefined): string {
  if (table.turns || frame.view.over) return join(actNews(table, frame, view), standing(table, frame, view));
  return frame.line?.effects.length ? actNews(table, frame, view) : '';
}

function actNews(table: TableInfo, frame: Frame, view: GameView | undefined): string {
  return frame.line && view ? withStop(view.say(table.layout, frame.line, table.seats)) : '';
}

function faultNews(fault: Fault): string {
  return join(withStop(fault.message), fault.rule ? `Rule ${fault.rule}.` : '');
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
