/** One visit to a table: its state, the connection behind it, and the actions of this browser. */

import { announcer } from '../../app/announcer.svelte';
import { SOCKET_URL } from '../../app/base';
import { errorText, fetchSummaries, isServerUp } from '../../app/http';
import { codesOfAddress, hex, newCode, storedTable, storeSummary, storeTable, withCodes } from '../../app/tables';
import { arrivalOf } from '../../board/arrivals';
import type { GameView, Overlay } from '../../board/game-view';
import { turnLook, Turns } from '../../board/look.svelte';
import { loadGame } from '../../games/registry';
import { Reviewing } from '../../review/reviewing.svelte';
import type { Frame, Offer, Refused, Request, Resumed, Rules, RulesChoice, ServerMessage, TableInfo } from '../../wire';
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
  isHistoryRevealed,
  hasSeat,
  lacksPast,
  mayAnalyse,
  INITIAL_STATE,
  outdates,
  reduce,
  seen,
  shown,
  type LocalEvent,
  type TableState,
} from '../state/table-state';
import { idleWords } from '../state/words';

interface PlayedOut {
  /** The index of the act. */
  index: number;
  /** The position shown. */
  frame: Frame | null;
  /** Steps forward or back; false if that leaves the line. */
  step: (by: number) => boolean;
}

export class Session {
  state = $state.raw<TableState>(INITIAL_STATE);
  link = $state<Link>('connecting');
  /** The server's reason for closing the connection; empty if it gave none, and while the connection is open. */
  why = $state('');
  /** The board and the words of the table's game, once they are loaded. */
  view = $state.raw<GameView>();
  /** Why they can't be loaded. */
  trouble = $state('');
  #turns: Turns;
  readonly #steps = $derived(this.state.table && this.view ? this.view.steps(this.state.table.layout) : 1);
  readonly turnable = $derived(this.#steps > 1);
  /** The rotation of the board: the side of this browser's first seat is at the bottom until the user turns the board. */
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
  /** The layer over the board. */
  overlay = $state.raw<Overlay | null>(null);
  /** The best line at an act of a finished game, while it is played out on the board. */
  line = $state.raw<PlayedOut | null>(null);
  #connection: Connection;
  #codes: string[];
  #invites: Record<string, string>;
  /** The seat whose piece in hand the others see. */
  #carrying: number | null = null;
  /** What the acting seat of this browser does next, in words. */
  nextStep = $state('');
  /** A note on the page, such as the position in words, until it is closed or read. */
  note = $state<string | null>(null);
  #helped: boolean;
  /** In a game without turns, the entry of the newest position that the screen has shown. */
  #painted = 0;
  /** A link brought codes that have not been sent to the table yet. */
  #linked: boolean;
  #stored: boolean;

  /** `codes`: for a table that is not visited again and therefore not stored. */
  constructor(id: string, codes?: string[]) {
    announcer.clear();
    this.#turns = new Turns(id);
    this.reviewing = new Reviewing(id);
    this.#stored = codes === undefined;
    if (this.#stored) this.side = firstSide();
    const stored = this.#stored ? storedTable(id) : null;
    this.#invites = stored?.invites ?? {};
    this.chat = new Chatting(
      {
        messages: () => this.state.chat,
        seats: () => this.state.table?.seats ?? [],
        send: (message) => this.#connection.ask(message),
        store: () => this.#store(),
      },
      stored,
    );
    this.#helped = stored?.helped ?? false;
    const fromLink = codesOfAddress();
    this.#linked = fromLink.length > 0;
    this.#codes = withCodes(codes ?? stored?.codes ?? [], fromLink);
    this.#connection = new Connection(
      SOCKET_URL,
      { type: 'join', table: id, codes: this.#codes },
      {
        message: (message) => this.#receive(message),
        link: (link, why) => this.#linkChanged(link, why),
        seen: () => seen(this.state),
        isServerUp,
      },
    );
  }

  /** `seat`: a seat of this browser, if several can act at a time. `after`: the act that this one depends on. */
  act(text: string, seat = actingSeat(this.state), after?: string): void {
    if (seat === null) return;
    const id = hex(12);
    this.#dispatch({ type: 'asked', id, act: { seat, text, after } });
    const { live, table } = this.state;
    const lag = live?.clocks ? this.#connection.lag : null;
    this.#connection.ask({
      type: 'act',
      id,
      seat,
      text,
      ...(lag === null ? {} : { lag }),
      ...(after === undefined ? {} : { after }),
      ...(table?.turns || live?.entry === undefined ? {} : { seen: this.#painted }),
    });
  }

  /** Shows the others what is in hand here. */
  carry(what: string | null): void {
    const seat = what === null ? this.#carrying : actingSeat(this.state);
    if (seat === null) return;
    this.#carrying = what === null ? null : seat;
    this.#connection.carry(seat, what);
  }

  /** Something was chosen at the board: a refusal of what was chosen before is no longer true. */
  chosen(): void {
    if (this.state.fault) this.#dispatch({ type: 'dismissed' });
  }

  /** Shows the others where a hand of this browser is over the board. */
  aim(seat: number, at: [number, number] | null): void {
    const { table } = this.state;
    if (table?.hands && !table.local) this.#connection.aim(seat, at);
  }

  undo(to: number): void {
    const id = hex(12);
    this.#dispatch({ type: 'returned' });
    this.#dispatch({ type: 'asked', id });
    this.#connection.ask({ type: 'undo', id, to });
  }

  /** Handles a seat link of this table that was opened in its own page. */
  readLink(): void {
    const codes = codesOfAddress();
    if (codes.length === 0) return;
    this.#linked = true;
    this.#hold(codes);
  }

  /** The codes of this browser's seats, for a link to another device. */
  get codes(): string[] {
    return this.#codes;
  }

  /** The code that takes an open seat, if this browser knows it. */
  invite(seat: number): string | undefined {
    return this.#invites[seat];
  }

  sit(seat: number, name: string): void {
    const code = newCode();
    this.#hold([code], false);
    this.#ask({ type: 'sit', id: hex(12), seat, name, code });
  }

  /** Gives a seat a new code; the old link no longer works. */
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

  chooseRules(choice: RulesChoice): void {
    this.#ask({ type: 'rules', id: hex(12), choice });
  }

  #ask(request: Request | Rules): void {
    this.#dispatch({ type: 'asked', id: request.id });
    this.#connection.ask(request);
  }

  #hold(codes: string[], again = true): void {
    this.#codes = withCodes(this.#codes, codes);
    this.#store();
    this.#connection.hold(this.#codes, again);
  }

  /** Shows the position after `seq` acts; the newest one returns to the game. */
  look(seq: number): void {
    const before = this.state.looking;
    this.line = null;
    this.#dispatch({ type: 'looking', seq });
    const { looking } = this.state;
    if (looking !== null) this.#connection.look(looking);
    else if (before !== null) announcer.say('Back at the latest position.');
    if (lacksPast(this.state)) this.earlier();
  }

  /** Steps forward or back in the line that is played out, or else in the game. */
  step(by: number): void {
    const { looking, live } = this.state;
    if (!this.line?.step(by)) this.look((looking ?? live?.seq ?? 0) + by);
  }

  /** Plays out the best line at an act. */
  playOut(index: number): void {
    this.look(index);
    this.line = { index, frame: null, step: () => false };
  }

  /** Requests the acts before those that are known. */
  earlier(): void {
    const first = firstKnown(this.state.lines);
    if (first > 1) this.#connection.history(first);
  }

  /** Returns to the newest position. */
  live(): void {
    this.look(Infinity);
  }

  /** Requests the solved values of a position; the answer can take a minute. */
  solve(seq: number): void {
    this.takeHelp();
    this.#connection.solve(seq);
  }

  /** Requests the analysis of a position, which comes in several messages; null: stops it. */
  analyse(seq: number | null): void {
    if (seq !== null) this.takeHelp();
    this.#connection.analyse(seq);
  }

  toggleAnalysis(): void {
    if (mayAnalyse(this.state)) this.side = this.side === 'analysis' ? 'moves' : 'analysis';
  }

  /** Records that moves were taken back, tried out or solved during the game. */
  takeHelp(): void {
    if (this.#helped || (this.state.live?.view.over ?? true)) return;
    this.#helped = true;
    this.#store();
  }

  /** Describes the position shown in a note. */
  describe(): void {
    const { table } = this.state;
    const frame = this.line?.frame ?? shown(this.state);
    if (this.view && table && frame) this.showNote(this.view.describe(table.layout, frame.view, table.seats));
  }

  /** Shows and announces a note. */
  showNote(text: string): void {
    this.note = text;
    announcer.say(text);
  }

  /** Runs a request and shows its error as a note. */
  async attempt(what: () => Promise<unknown>): Promise<void> {
    try {
      await what();
    } catch (error) {
      this.showNote(errorText(error));
    }
  }

  /** Changes the view, if the board can be seen from the side. */
  turnLook(): void {
    if (this.view?.hasSides) turnLook();
  }

  turnBoard(): void {
    if (!this.turnable) return;
    this.#turns.add();
    announcer.say('The board is turned.');
  }

  /** Says why a choice at the board has no effect, and by which rule; null: no seat of this browser can act. */
  explain(why: string | null, rule: string | null = null): void {
    const message = why ?? idleWords(this.state);
    if (!message) return;
    this.#dispatch({ type: 'idle', message, rule });
    announcer.interrupt(message);
  }

  /** Closes all notes. */
  dismiss(): void {
    this.note = null;
    this.#dispatch({ type: 'dismissed' });
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

  #dispatch(event: ServerMessage | LocalEvent): void {
    this.state = reduce(this.state, event);
  }

  #receive(received: ServerMessage): void {
    if (this.chat.isAnsweredBy(received)) return;
    if ('frame' in received) arrivalOf(received.frame);
    const before = this.state;
    const message = received.type === 'refused' ? this.#reworded(received) : received;
    this.#dispatch(message);
    this.#notePainting();
    if (message.type === 'refused' && before.fault === this.state.fault) return; // known already
    if (message.type === 'resumed') this.#noteMissed(before, message);
    if (this.state.live?.seq !== before.live?.seq) this.#carrying = null; // the server empties all hands
    if (outdates(message, this.state)) this.note = null;
    if (message.type === 'rewound') {
      this.line = null;
      this.reviewing.forget();
    }
    const dropped = message.type === 'changed' && before.table ? droppedNews(before.table, message) : '';
    if (dropped && !this.#isMine(message)) this.note = dropped;
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
    if (this.state.ending && !before.ending && this.#stored) void this.#storeResult();
    if ((message.type === 'frame' || message.type === 'resumed') && hasGap(this.state)) this.#connection.rejoin();
    if (message.type === 'frame' && isHistoryRevealed(this.state)) this.#connection.rejoin();
    if (this.state.lines !== before.lines && lacksPast(this.state)) this.earlier();
  }

  #notePainting(): void {
    const { live, table } = this.state;
    const entry = live?.entry ?? 0;
    if (table?.turns || entry === this.#painted) return;
    requestAnimationFrame(() => requestAnimationFrame(() => (this.#painted = Math.max(this.#painted, entry))));
  }

  #reworded(refused: Refused): Refused {
    const { table, lines } = this.state;
    const message = table && this.view?.reword?.(table.layout, refused.fault, lines ?? [], table.seats);
    return message ? { ...refused, fault: { ...refused.fault, message, rule: null } } : refused;
  }

  #noteMissed({ live }: TableState, { table, lines, frame }: Resumed): void {
    const missed = live && this.view?.missed?.(table.layout, lines, table.seats, live.view, frame.view);
    if (missed) this.note = missed;
  }

  /** Whether a player at this browser declined or withdrew the proposal. */
  #isMine(message: ServerMessage): boolean {
    const seat = message.type === 'changed' ? message.dropped : undefined;
    return this.state.table?.seats.some((own) => own.mine && own.seat === seat) ?? false;
  }

  /** Calls the user, except to a private table, which nobody else knows. */
  #summon(before: TableState, message: ServerMessage): void {
    const chat = { after: this.chat.announced, muted: this.chat.muted };
    const found = this.#stored ? summons(before, this.state, message, this.view?.sounds, chat) : null;
    if (found) call(found, before.table!.id);
  }

  async #loadView({ game, layout }: TableInfo): Promise<void> {
    const isFirst = !this.view;
    try {
      this.view = await loadGame(game, layout); // again after each join: a prototype changes when its file is saved
      if (!isFirst) return;
      const words = withheld(this.state, this.view);
      if (words) announcer.say(words);
    } catch (error) {
      this.trouble = errorText(error);
    }
  }

  #arrive(table: TableInfo): void {
    void this.#loadView(table);
    this.#store();
    if (this.state.looking !== null) this.#connection.look(this.state.looking);
  }

  #checkLink(table: TableInfo): void {
    if (this.#linked && !hasSeat(table) && table.guest.length === 0) {
      const message = 'This seat has already been taken. You can watch.';
      this.#dispatch({ type: 'error', message });
      announcer.interrupt(message);
    }
    this.#linked = false;
  }

  #store(): void {
    const { table } = this.state;
    if (!table || !this.#stored) return;
    storeTable({
      id: table.id,
      game: table.game,
      title: table.title,
      names: table.seats.map((seat) => seat.name).filter((name) => name !== ''),
      when: Date.now(),
      codes: this.#codes,
      invites: this.#invites,
      heard: this.chat.lastRead,
      muted: this.chat.muted,
      helped: this.#helped,
      from: storedTable(table.id)?.from,
    });
  }

  /** Stores the result for the list of this browser's games, which also works without a network. */
  async #storeResult(): Promise<void> {
    const { table } = this.state;
    for (const summary of table ? await fetchSummaries([table.id]).catch(() => []) : []) storeSummary(summary);
  }

  #linkChanged(link: Link, why: string): void {
    if (link === 'lost' && this.link === 'open') {
      announcer.say(['Connection lost.', why, 'Reconnecting.'].filter(Boolean).join(' '));
    } else if (why === BLOCKED && this.why !== why) announcer.say(why);
    this.link = link;
    this.why = why;
  }
}
