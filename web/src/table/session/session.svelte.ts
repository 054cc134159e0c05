/** One visit to a table: the state on show, the connection behind it, and what can be done from this browser. */

import { announcer } from '../../app/announcer.svelte';
import { SOCKET } from '../../app/base';
import { answers, errorText, fetchSummaries } from '../../app/http';
import { codesOfAddress, hex, keepSummary, keepTable, keptTable, newCode, withCodes } from '../../app/tables';
import { arrivalOf } from '../../board/arrivals';
import type { GameView, Overlay } from '../../board/game-view';
import { turnLook, Turns } from '../../board/look.svelte';
import { loadGame } from '../../games/registry';
import { Reviewing } from '../../review/reviewing.svelte';
import type { Frame, Offer, Refused, Request, Resumed, ServerMessage, TableInfo } from '../../wire';
import { BLOCKED, Connection, type Link } from './net';
import { droppedNews, news, withheld } from './news';
import { firstSide, type Side } from './side';
import { call } from './calling';
import { Chatting } from './chatting.svelte';
import { summons } from './summons';
import {
  actingSeat,
  firstKnown,
  hasGap,
  isShownAgain,
  hasSeat,
  IDLE,
  lacksPast,
  mayAnalyse,
  NOTHING,
  outdates,
  reduce,
  seen,
  shown,
  type Doing,
  type TableState,
} from '../state/table-state';
import { idleWords } from '../state/words';

interface PlayedOut {
  /** That of the act. */
  index: number;
  /** The position on show. */
  frame: Frame | null;
  /** Goes on by so many of its moves; false: it leads nowhere. */
  step: (by: number) => boolean;
}

export class Session {
  state = $state.raw<TableState>(NOTHING);
  link = $state<Link>('connecting');
  /** What the server said when it closed the connection; empty where it said nothing, and while it is open. */
  why = $state('');
  /** The board and the words of the table's game, once they are loaded. */
  view = $state.raw<GameView>();
  /** Why they can't be. */
  trouble = $state('');
  /** How often the user has turned the board. */
  #turns: Turns;
  readonly #steps = $derived(this.state.table && this.view ? this.view.steps(this.state.table.layout) : 1);
  readonly turnable = $derived(this.#steps > 1);
  /** How far the board is turned: the first seat of this browser has its side below, until the user turns it. */
  readonly turn = $derived.by(() => {
    const { table } = this.state;
    const own = table?.seats.find(({ mine }) => mine);
    const facing = table && own && this.view ? this.view.facing(table.layout, own.seat) : 0;
    return (facing + this.#turns.count) % this.#steps;
  });
  readonly chat: Chatting;
  /** The review of the game, once it is over. */
  readonly reviewing: Reviewing;
  side = $state<Side>('moves');
  /** What lies over the board. */
  overlay = $state.raw<Overlay | null>(null);
  /** The best line at an act of a game that is over, as long as it is played out on the board. */
  line = $state.raw<PlayedOut | null>(null);
  #connection: Connection;
  #codes: string[];
  #invites: Record<string, string>;
  /** The seat that the others see with a piece in hand. */
  #carrying: number | null = null;
  /** A note on the page, such as the position in words, until it is closed or read. */
  note = $state<string | null>(null);
  #helped: boolean;
  /** A link brought codes that have not been sent to the table yet. */
  #linked: boolean;
  /** Whether this browser keeps the table. */
  #kept: boolean;

  /** `codes`: for a table that is not visited again, so that nothing of it is kept. */
  constructor(id: string, codes?: string[]) {
    announcer.clear();
    this.#turns = new Turns(id);
    this.reviewing = new Reviewing(id);
    this.#kept = codes === undefined;
    if (this.#kept) this.side = firstSide();
    const kept = this.#kept ? keptTable(id) : null;
    this.#invites = kept?.invites ?? {};
    this.chat = new Chatting(
      {
        messages: () => this.state.chat,
        seats: () => this.state.table?.seats ?? [],
        send: (message) => this.#connection.ask(message),
        keep: () => this.#keep(),
      },
      kept,
    );
    this.#helped = kept?.helped ?? false;
    const fromLink = codesOfAddress();
    this.#linked = fromLink.length > 0;
    this.#codes = withCodes(codes ?? kept?.codes ?? [], fromLink);
    this.#connection = new Connection(
      SOCKET,
      { type: 'join', table: id, codes: this.#codes },
      {
        message: (message) => this.#receive(message),
        link: (link, why) => this.#linkChanged(link, why),
        seen: () => seen(this.state),
        answers,
      },
    );
  }

  /** `seat`: one of this browser's, where several can act at once. `after`: the act that this one depends on. */
  act(text: string, seat = actingSeat(this.state), after?: string): void {
    if (seat === null) return;
    const id = hex(12);
    this.#do({ type: 'asked', id, act: { seat, text, after } });
    const { live, table } = this.state;
    const lag = live?.clocks ? this.#connection.lag : null;
    this.#connection.ask({
      type: 'act',
      id,
      seat,
      text,
      ...(lag === null ? {} : { lag }),
      ...(after === undefined ? {} : { after }),
      ...(table?.turns || live?.entry === undefined ? {} : { seen: live.entry }),
    });
  }

  /** What is in hand here, before the act: the others see it. */
  carry(what: string | null): void {
    const seat = what === null ? this.#carrying : actingSeat(this.state);
    if (seat === null) return;
    this.#carrying = what === null ? null : seat;
    this.#connection.carry(seat, what);
    if (what !== null && this.state.fault?.code === IDLE) this.#do({ type: 'dismissed' });
  }

  /** Where a hand of this browser is over the board: the others see it. */
  aim(seat: number, at: [number, number] | null): void {
    const { table } = this.state;
    if (table?.hands && !table.local) this.#connection.aim(seat, at);
  }

  undo(to: number): void {
    const id = hex(12);
    this.#do({ type: 'returned' });
    this.#do({ type: 'asked', id });
    this.#connection.ask({ type: 'undo', id, to });
  }

  /** A seat link of this table was opened in its own page. */
  readLink(): void {
    const codes = codesOfAddress();
    if (codes.length === 0) return;
    this.#linked = true;
    this.#hold(codes);
  }

  /** The codes of this browser's seats, for a link that brings them to another device. */
  get codes(): string[] {
    return this.#codes;
  }

  /** The code with which an open seat is taken, if this browser knows it. */
  invite(seat: number): string | undefined {
    return this.#invites[seat];
  }

  sit(seat: number, name: string): void {
    const code = newCode();
    this.#hold([code], false);
    this.#ask({ type: 'sit', id: hex(12), seat, name, code });
  }

  /** A new link for a seat; the old link no longer works. */
  handOver(seat: number): string {
    const code = newCode();
    this.#invites = { ...this.#invites, [seat]: code };
    this.#hold([code], false); // until the link is used, the seat is still ours to take
    this.#ask({ type: 'hand-over', id: hex(12), seat, code });
    return code;
  }

  fill(seat: number, level: string): void {
    this.#ask({ type: 'fill', id: hex(12), seat, level });
  }

  leave(seat: number): void {
    this.#ask({ type: 'leave', id: hex(12), seat });
  }

  comeBack(seat: number): void {
    this.#ask({ type: 'return', id: hex(12), seat });
  }

  offer(what: Offer['what']): void {
    this.#ask({ type: 'offer', id: hex(12), what });
  }

  resign(seat: number): void {
    this.#ask({ type: 'resign', id: hex(12), seat });
  }

  vote(number: number, agree: boolean): void {
    this.#ask({ type: 'vote', id: hex(12), number, agree });
  }

  #ask(request: Request): void {
    this.#do({ type: 'asked', id: request.id });
    this.#connection.ask(request);
  }

  #hold(codes: string[], again = true): void {
    this.#codes = withCodes(this.#codes, codes);
    this.#keep();
    this.#connection.hold(this.#codes, again);
  }

  /** Shows the position after `seq` acts; the newest one returns to the game. */
  look(seq: number): void {
    const before = this.state.looking;
    this.line = null;
    this.#do({ type: 'looking', seq });
    const { looking } = this.state;
    if (looking !== null) this.#connection.look(looking);
    else if (before !== null) announcer.say('Back at the latest position.');
    if (lacksPast(this.state)) this.earlier();
  }

  /** Steps on or back: within the line that is played out, else through the game. */
  step(by: number): void {
    const { looking, live } = this.state;
    if (!this.line?.step(by)) this.look((looking ?? live?.seq ?? 0) + by);
  }

  /** Plays out what was best at an act. */
  playOut(index: number): void {
    this.look(index);
    this.line = { index, frame: null, step: () => false };
  }

  /** Asks for the acts before those that are known. */
  earlier(): void {
    const first = firstKnown(this.state.lines);
    if (first > 1) this.#connection.history(first);
  }

  /** Returns to the newest position. */
  live(): void {
    this.look(Infinity);
  }

  /** Asks for the solved values of a position; the answer can take a minute. */
  solve(seq: number): void {
    this.takeHelp();
    this.#connection.solve(seq);
  }

  /** Asks what a position is worth, by one answer after the other; null: no more. */
  analyse(seq: number | null): void {
    if (seq !== null) this.takeHelp();
    this.#connection.analyse(seq);
  }

  /** Shows the analysis, or no more. */
  toggleAnalysis(): void {
    if (mayAnalyse(this.state)) this.side = this.side === 'analysis' ? 'moves' : 'analysis';
  }

  /** Before the game is over moves were taken back, tried out or solved. */
  takeHelp(): void {
    if (this.#helped || (this.state.live?.view.over ?? true)) return;
    this.#helped = true;
    this.#keep();
  }

  /** Describes the position on show in a note. */
  describe(): void {
    const { table } = this.state;
    const frame = this.line?.frame ?? shown(this.state);
    if (this.view && table && frame) this.tell(this.view.describe(table.layout, frame.view, table.seats));
  }

  /** Shows and announces a note. */
  tell(text: string): void {
    this.note = text;
    announcer.say(text);
  }

  /** Does what the server can refuse; a note says why. */
  async attempt(what: () => Promise<unknown>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.tell(errorText(error));
    }
  }

  /** Turns the board, if it can be seen from the side. */
  turnLook(): void {
    if (this.view?.hasSides) turnLook();
  }

  turnBoard(): void {
    if (!this.turnable) return;
    this.#turns.add();
    announcer.say('The board is turned.');
  }

  /** Says why nothing came of a choice at the board; null: because no seat of this browser can act. */
  explain(why: string | null): void {
    const message = why ?? idleWords(this.state);
    if (!message) return;
    this.#do({ type: 'idle', message });
    announcer.interrupt(message);
  }

  /** Closes all notes. */
  dismiss(): void {
    this.note = null;
    this.#do({ type: 'dismissed' });
  }

  retry(): void {
    this.#connection.retry();
  }

  drop(): void {
    this.#connection.drop();
  }

  close(): void {
    this.reviewing.stop();
    this.#connection.close();
  }

  #do(event: ServerMessage | Doing): void {
    this.state = reduce(this.state, event);
  }

  #receive(received: ServerMessage): void {
    if (this.chat.isAnsweredBy(received)) return;
    if ('frame' in received) arrivalOf(received.frame);
    const before = this.state;
    const message = received.type === 'refused' ? this.#reworded(received) : received;
    this.#do(message);
    if (message.type === 'refused' && before.fault === this.state.fault) return; // nothing that is not known
    if (message.type === 'resumed') this.#tellMissed(before, message);
    if (this.state.live?.seq !== before.live?.seq) this.#carrying = null; // the server has emptied all hands
    if (outdates(message, this.state)) this.note = null;
    if (message.type === 'rewound') {
      this.line = null;
      this.reviewing.forget();
    }
    const fate = message.type === 'changed' && before.table ? droppedNews(before.table, message) : '';
    if (fate && !this.#isMine(message)) this.note = fate;
    this.#summon(before, message);
    const { polite, assertive } = news(before, message, this.view);
    if (polite) announcer.say(polite);
    if (assertive) announcer.interrupt(assertive);
    if (message.type === 'welcome' || message.type === 'resumed') {
      this.#arrive(message.table);
      this.#checkLink(message.table);
    }
    if (message.type === 'rewound') this.takeHelp();
    if (message.type === 'said') this.chat.announce();
    if (this.state.ending && !before.ending && this.#kept) void this.#keepResult();
    if ((message.type === 'frame' || message.type === 'resumed') && hasGap(this.state)) this.#connection.rejoin();
    if (message.type === 'frame' && isShownAgain(this.state)) this.#connection.rejoin();
    if (this.state.lines !== before.lines && lacksPast(this.state)) this.earlier();
  }

  #reworded(refused: Refused): Refused {
    const { table, lines } = this.state;
    const message = table && this.view?.reword?.(table.layout, refused.fault, lines ?? [], table.seats);
    return message ? { ...refused, fault: { ...refused.fault, message, rule: null } } : refused;
  }

  #tellMissed({ live }: TableState, { table, lines, frame }: Resumed): void {
    const missed = live && this.view?.missed?.(table.layout, lines, table.seats, live.view, frame.view);
    if (missed) this.note = missed;
  }

  /** Whether a player at this browser declined or withdrew the proposal. */
  #isMine(message: ServerMessage): boolean {
    const seat = message.type === 'changed' ? message.dropped : undefined;
    return this.state.table?.seats.some((one) => one.mine && one.seat === seat) ?? false;
  }

  /** Calls the user; a private table, which no one else knows, calls nobody. */
  #summon(before: TableState, message: ServerMessage): void {
    const chat = { after: this.chat.announced, muted: this.chat.muted };
    const one = this.#kept ? summons(before, this.state, message, this.view?.sounds, chat) : null;
    if (one) call(one, before.table!.id);
  }

  async #loadView({ game, layout }: TableInfo): Promise<void> {
    if (this.view) return;
    try {
      this.view = await loadGame(game, 'workshop' in layout);
      const words = withheld(this.state, this.view);
      if (words) announcer.say(words);
    } catch (error) {
      this.trouble = errorText(error);
    }
  }

  #arrive(table: TableInfo): void {
    void this.#loadView(table);
    this.#keep();
    if (this.state.looking !== null) this.#connection.look(this.state.looking);
  }

  #checkLink(table: TableInfo): void {
    if (this.#linked && !hasSeat(table) && table.guest.length === 0) {
      const message = 'This seat has already been taken. You can watch.';
      this.#do({ type: 'error', message });
      announcer.interrupt(message);
    }
    this.#linked = false;
  }

  #keep(): void {
    const { table } = this.state;
    if (!table || !this.#kept) return;
    keepTable({
      id: table.id,
      game: table.game,
      title: table.title,
      names: table.seats.map((seat) => seat.name).filter((name) => name !== ''),
      when: Date.now(),
      codes: this.#codes,
      invites: this.#invites,
      heard: this.chat.heard,
      muted: this.chat.muted,
      helped: this.#helped,
      from: keptTable(table.id)?.from,
    });
  }

  /** The list of this browser's games tells the result, also without a network. */
  async #keepResult(): Promise<void> {
    const { table } = this.state;
    for (const summary of table ? await fetchSummaries([table.id]).catch(() => []) : []) keepSummary(summary);
  }

  #linkChanged(link: Link, why: string): void {
    if (link === 'lost' && this.link === 'open') {
      announcer.say(['Connection lost.', why, 'Reconnecting.'].filter(Boolean).join(' '));
    } else if (why === BLOCKED && this.why !== why) announcer.say(why);
    this.link = link;
    this.why = why;
  }
}
