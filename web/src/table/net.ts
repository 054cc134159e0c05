/**
 * One table's socket. It joins, comes back by itself after a loss, and keeps every act until the server has
 * answered it: an act that was under way is sent again under the same id, which the server judges only once.
 */

import type { ClientMessage, Join, Request, Say, Seen, ServerMessage } from '../wire';

/** `connecting`: for the first time; `lost`: it was there, or could not be had, and is tried again. */
export type Link = 'connecting' | 'open' | 'lost';

export interface Listener {
  message(message: ServerMessage): void;
  /** What is known of the table, so that after a loss only the rest need be sent. */
  seen(): Seen | undefined;
  /** `why`: what the server said when it closed the line, in one sentence; mostly it says nothing. */
  link(link: Link, why: string): void;
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** How often the way to the server is measured, and how many of these measures count. */
const PING_EVERY = 30_000;
const MEASURES = 5;
/** An act unanswered for so long means that the line is dead, even if the browser has not noticed. */
const PATIENCE = 10_000;
/** The server closes a line with this code when too much came over it. */
const POLICY_VIOLATION = 1008;
/** After that the first pause is as long as after this many failures: time enough to read why. */
const FAILURES_OF_A_VIOLATION = 3;

export class Connection {
  #address: string;
  #join: Join;
  #listener: Listener;
  #socket: WebSocket | null = null;
  #joined = false;
  #closed = false;
  #failures = 0;
  /** The server has closed a line because of what came over it, and no line has held for a while since. */
  #unwanted = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #overdue: ReturnType<typeof setTimeout> | undefined;
  #unanswered = new Map<string, Request | Say>();
  #pinging: ReturnType<typeof setInterval> | undefined;
  #pings = 0;
  #pingedAt = 0;
  #ways: number[] = [];
  /** A look awaits its answer. */
  #looking = false;
  /** The position to ask for next. */
  #lookNext: number | null = null;
  /** A page of earlier acts is on its way. */
  #paging = false;

  constructor(address: string, join: Join, listener: Listener) {
    this.#address = address;
    this.#join = join;
    this.#listener = listener;
    this.#listener.link('connecting', '');
    this.#open();
  }

  /** Sends a request and keeps it until it is acknowledged or refused. */
  ask(request: Request | Say): void {
    this.#unanswered.set(request.id, request);
    if (this.#joined) this.#send(request);
    this.#watch();
  }

  /** How long the way to the server and back takes, in milliseconds: the middle one of the last few measures. */
  get lag(): number | null {
    const middle = [...this.#ways].sort((a, b) => a - b)[this.#ways.length >> 1];
    return middle === undefined ? null : Math.round(middle);
  }

  /** Asks for an earlier position. While an answer is awaited only the last question is kept; a line that is down takes none. */
  look(seq: number): void {
    if (!this.#joined) return;
    if (this.#looking) {
      this.#lookNext = seq;
      return;
    }
    this.#looking = true;
    this.#send({ type: 'look', seq });
  }

  /** Asks for the acts before a number, for one page at a time. */
  history(before: number): void {
    if (!this.#joined || this.#paging) return;
    this.#paging = true;
    this.#send({ type: 'history', before });
  }

  /** Asks what the acts of a position are worth. */
  solve(seq: number): void {
    if (this.#joined) this.#send({ type: 'solve', seq });
  }

  /** Shows the others what is in hand; while the line is down nobody sees it. */
  carry(seat: number, what: string | null): void {
    if (this.#joined) this.#send({ type: 'hold', seat, what });
  }

  /** From now on joins as who holds these codes; `again`: at once. */
  hold(codes: string[], again: boolean): void {
    this.#join = { ...this.#join, codes };
    if (again) this.rejoin();
  }

  /** Asks for the table again. */
  rejoin(): void {
    if (this.#joined) this.#enter();
  }

  /** Tries now instead of waiting on. */
  retry(): void {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#waiting);
    this.#open();
  }

  /** The line is known to be dead: let go of the socket and come back. */
  drop(): void {
    if (this.#closed || !this.#socket) return;
    const socket = this.#socket;
    this.#lost('', false);
    socket.close();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#waiting);
    clearTimeout(this.#overdue);
    clearInterval(this.#pinging);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => this.#enter();
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.#socket) this.#hear(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost(reason, code === POLICY_VIOLATION);
    };
  }

  #enter(): void {
    const seen = this.#listener.seen();
    this.#send(seen ? { ...this.#join, seen } : this.#join);
  }

  #hear(message: ServerMessage): void {
    if (message.type === 'pong') {
      if (message.number === this.#pings)
        this.#ways = [...this.#ways, performance.now() - this.#pingedAt].slice(-MEASURES);
      return;
    }
    if (message.type === 'ack' || message.type === 'refused') {
      this.#unanswered.delete(message.id);
      this.#watch();
    }
    if (message.type === 'history' || message.type === 'error') this.#paging = false;
    if (message.type === 'past' || message.type === 'error') this.#looked();
    const arrived = (message.type === 'welcome' || message.type === 'resumed') && !this.#joined;
    if (arrived) this.#joined = true;
    this.#listener.message(message);
    if (!arrived) return;
    if (!this.#unwanted) this.#failures = 0;
    this.#listener.link('open', '');
    for (const request of this.#unanswered.values()) this.#send(request);
    this.#watch();
    this.#ping();
    this.#pinging = setInterval(() => this.#hold(), PING_EVERY);
  }

  /** The answer to a look is here. */
  #looked(): void {
    this.#looking = false;
    const next = this.#lookNext;
    this.#lookNext = null;
    if (next !== null) this.look(next);
  }

  /** The line has held for a while. */
  #hold(): void {
    this.#unwanted = false;
    this.#failures = 0;
    this.#ping();
  }

  #ping(): void {
    this.#pings += 1;
    this.#pingedAt = performance.now();
    this.#send({ type: 'ping', number: this.#pings });
  }

  #lost(why: string, violation: boolean): void {
    this.#socket = null;
    this.#joined = this.#looking = this.#paging = false;
    this.#lookNext = null;
    clearTimeout(this.#overdue);
    clearInterval(this.#pinging);
    this.#listener.link('lost', why);
    if (violation) {
      this.#unwanted = true;
      this.#failures = Math.max(this.#failures, FAILURES_OF_A_VIOLATION);
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    // Spread out, so that a restarted server is not met by everybody at once.
    this.#waiting = setTimeout(() => this.#open(), wait * (0.5 + Math.random() / 2));
  }

  #watch(): void {
    clearTimeout(this.#overdue);
    if (this.#joined && this.#unanswered.size > 0) this.#overdue = setTimeout(() => this.drop(), PATIENCE);
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
