/**
 * One table's connection. It joins, reconnects by itself after a loss, and keeps every act until the server has
 * answered it: an unanswered act is sent again under the same id, which the server judges only once.
 */

import type { ClientMessage, Join, Request, Say, Seen, ServerMessage } from '../../wire';

/** `connecting`: for the first time; `lost`: it is tried again. */
export type Link = 'connecting' | 'open' | 'lost';

export interface Listener {
  message(message: ServerMessage): void;
  /** What is known of the table, so that after a loss only the rest is sent. */
  seen(): Seen | undefined;
  /** `why`: the server's reason to close the connection, or why there is none, in one sentence; usually empty. */
  link(link: Link, why: string): void;
  /** Whether the server answers where no live connection is needed. */
  answers(): Promise<boolean>;
}

export const BLOCKED =
  'The server answers, but the connection for live play (a WebSocket to /ws) is blocked: by a proxy or firewall on the' +
  ' way, by an extension of this browser, or by a proxy of the server that does not pass it on.';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** The time between two measures of the lag, in milliseconds, and the number of measures that count. */
const PING_EVERY = 30_000;
/** The same where all play at once: the server measures as often. */
const PING_OFTEN = 5000;
const MEASURES = 5;
/** A message unanswered for this time, in milliseconds, means a dead connection, even if the browser has not noticed. */
const ANSWER_TIMEOUT = 10_000;
/** Where all play at once, an act that was not sent for this time, in milliseconds, is not meant any more. */
export const LAPSE = 3000;
/** The server closes a connection with this code when a client sends too much. */
const POLICY_VIOLATION = 1008;
/** After that the first wait is as long as after this number of failures: time enough to read why. */
const FAILURES_OF_A_VIOLATION = 3;

export class Connection {
  #address: string;
  #join: Join;
  #listener: Listener;
  #socket: WebSocket | null = null;
  #joined = false;
  #closed = false;
  #failures = 0;
  /** The server has closed a connection because of what was sent, and none has lasted since. */
  #violated = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #overdue: ReturnType<typeof setTimeout> | undefined;
  /** Nothing has come through the socket yet. */
  #silent = true;
  #opening: ReturnType<typeof setTimeout> | undefined;
  /** The server answered otherwise when a socket had failed. */
  #answers = false;
  /** The server's reason to close the last line, until there is a new one. */
  #reason = '';
  #unanswered = new Map<string, { request: Request | Say; at: number }>();
  #pinging: ReturnType<typeof setInterval> | undefined;
  #lasting: ReturnType<typeof setInterval> | undefined;
  #pings = 0;
  #pingedAt = 0;
  #roundTrips: number[] = [];
  /** An earlier position was asked for and is not here yet. */
  #looking = false;
  /** The position to ask for next. */
  #nextLook: number | null = null;
  /** Earlier acts were asked for and are not here yet. */
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
    this.#unanswered.set(request.id, { request, at: performance.now() });
    if (this.#joined) this.#send(request);
    this.#watch();
  }

  /** The round trip to the server in milliseconds: the median of the last few measures. */
  get lag(): number | null {
    const middle = [...this.#roundTrips].sort((a, b) => a - b)[this.#roundTrips.length >> 1];
    return middle === undefined ? null : Math.round(middle);
  }

  /** Asks for an earlier position. While one is awaited only the last request is kept; without a connection none is. */
  look(seq: number): void {
    if (!this.#joined) return;
    if (this.#looking) {
      this.#nextLook = seq;
      return;
    }
    this.#looking = true;
    this.#send({ type: 'look', seq });
  }

  /** Asks for the acts before a number, one page at a time. */
  history(before: number): void {
    if (!this.#joined || this.#paging) return;
    this.#paging = true;
    this.#send({ type: 'history', before });
  }

  /** Asks for the solved values of a position. */
  solve(seq: number): void {
    if (this.#joined) this.#send({ type: 'solve', seq });
  }

  /** Asks what a position is worth; null: no more. */
  analyse(seq: number | null): void {
    if (this.#joined) this.#send({ type: 'analyse', seq });
  }

  /** Shows the others what is in hand; without a connection it is dropped. */
  carry(seat: number, what: string | null): void {
    if (this.#joined) this.#send({ type: 'hold', seat, what });
  }

  /** Shows the others where the hand of a seat is; without a connection it is dropped. */
  aim(seat: number, at: [number, number] | null): void {
    if (this.#joined) this.#send({ type: 'aim', seat, at });
  }

  /** From now on joins with these codes; `again`: at once. */
  hold(codes: string[], again: boolean): void {
    this.#join = { ...this.#join, codes };
    if (again) this.rejoin();
  }

  /** Asks for the table again. */
  rejoin(): void {
    if (this.#joined) this.#enter();
  }

  /** Tries now instead of waiting. */
  retry(): void {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#waiting);
    this.#open();
  }

  /** The connection is known to be dead: closes the socket and reconnects. */
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
    clearTimeout(this.#opening);
    clearInterval(this.#pinging);
    clearInterval(this.#lasting);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#silent = true;
    this.#opening = setTimeout(() => this.drop(), ANSWER_TIMEOUT);
    socket.onopen = () => this.#enter();
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost(reason, code === POLICY_VIOLATION);
    };
  }

  #enter(): void {
    const seen = this.#listener.seen();
    this.#send(seen ? { ...this.#join, seen } : this.#join);
  }

  #receive(message: ServerMessage): void {
    clearTimeout(this.#opening);
    this.#silent = this.#answers = false;
    if (message.type === 'pong') {
      if (message.number === this.#pings)
        this.#roundTrips = [...this.#roundTrips, performance.now() - this.#pingedAt].slice(-MEASURES);
      return;
    }
    if (message.type === 'ping') return this.#send({ type: 'pong', number: message.number });
    if (message.type === 'ack' || message.type === 'refused') {
      this.#unanswered.delete(message.id);
      this.#watch();
    }
    if (message.type === 'history' || message.type === 'error') this.#paging = false;
    if (message.type === 'past' || message.type === 'error') this.#lookAnswered();
    const joined = this.#joined;
    if (message.type === 'welcome' || message.type === 'resumed') this.#joined = true;
    this.#listener.message(message);
    if (joined || (message.type !== 'welcome' && message.type !== 'resumed')) return;
    if (!this.#violated) this.#failures = 0;
    this.#reason = '';
    this.#listener.link('open', '');
    for (const { request, at } of this.#unanswered.values()) {
      const late = !message.table.turns && request.type === 'act' && performance.now() - at > LAPSE;
      this.#send(late ? { ...request, lapsed: true } : request);
    }
    this.#watch();
    this.#ping();
    this.#pinging = setInterval(() => this.#ping(), message.table.turns ? PING_EVERY : PING_OFTEN);
    this.#lasting = setInterval(() => this.#hold(), PING_EVERY);
  }

  /** The earlier position that was asked for is here. */
  #lookAnswered(): void {
    this.#looking = false;
    const next = this.#nextLook;
    this.#nextLook = null;
    if (next !== null) this.look(next);
  }

  /** The connection has lasted for a while. */
  #hold(): void {
    this.#violated = false;
    this.#failures = 0;
  }

  #ping(): void {
    this.#pings += 1;
    this.#pingedAt = performance.now();
    this.#send({ type: 'ping', number: this.#pings });
  }

  #lost(why: string, violation: boolean): void {
    this.#socket = null;
    this.#joined = this.#looking = this.#paging = false;
    this.#nextLook = null;
    clearTimeout(this.#overdue);
    clearTimeout(this.#opening);
    clearInterval(this.#pinging);
    clearInterval(this.#lasting);
    this.#reason = why || this.#reason;
    this.#listener.link('lost', this.#reason || (this.#answers ? BLOCKED : ''));
    if (this.#silent && !why) void this.#inquire();
    if (violation) {
      this.#violated = true;
      this.#failures = Math.max(this.#failures, FAILURES_OF_A_VIOLATION);
    }
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures);
    this.#failures += 1;
    // Spread out, so that not all clients reconnect to a restarted server at the same time.
    this.#waiting = setTimeout(() => this.#open(), wait * (0.5 + Math.random() / 2));
  }

  /** Is it the server that is missing, or only the socket? The next one to fail will tell. */
  async #inquire(): Promise<void> {
    const answers = await this.#listener.answers();
    if (this.#closed || this.#joined) return;
    if (this.#answers && !answers) this.#listener.link('lost', '');
    this.#answers = answers;
  }

  #watch(): void {
    clearTimeout(this.#overdue);
    if (this.#joined && this.#unanswered.size > 0) this.#overdue = setTimeout(() => this.drop(), ANSWER_TIMEOUT);
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
