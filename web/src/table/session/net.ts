/**
 * One table's connection. It joins, reconnects by itself after a loss, and stores requests until the server answers:
 * an unanswered request is sent again under the same id, which the server handles only once.
 */

import type { ClientMessage, Join, Request, Rules, Say, Seen, ServerMessage } from '../../wire';

/** `connecting`: for the first time; `lost`: reconnecting. */
export type Link = 'connecting' | 'open' | 'lost';

export interface Listener {
  message(message: ServerMessage): void;
  /** The known part of the table: after a loss, only the rest is sent. */
  seen(): Seen | undefined;
  /** `why`: the server's reason to close the connection, or why there is none, in one sentence; usually empty. */
  link(link: Link, why: string): void;
  /** Whether the server answers over HTTP. */
  isServerUp(): Promise<boolean>;
}

export const BLOCKED =
  'The server answers, but the connection for live play (a WebSocket to /ws) is blocked: by a proxy or firewall on the' +
  ' way, by an extension of this browser, or by a proxy of the server that does not pass it on.';

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
/** Without turns, the page tries this often to get back, and this many times before it backs off. */
const QUICK_RETRY_MS = 300;
const QUICK_RETRIES = 40;
/** Without turns, a socket that does not open is given up after this time and a few round trips, later ones later. */
const QUICK_OPEN_MS = 2000;
const PING_MS = 30_000;
/** The interval without turns. */
const FAST_PING_MS = 5000;
/** The lag is the median of this number of round trips. */
const LAG_SAMPLES = 5;
/** Without an answer for this time, the connection is dead, even if the browser has not noticed. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Without turns, an act that could not be sent within this time lapses. */
export const ACT_LIFETIME_MS = 3000;
/** The server closes a connection with this code when a client sends too much. */
const POLICY_VIOLATION = 1008;
/** A violation counts as this number of failures: the backoff gives the user time to read why. */
const VIOLATION_FAILURES = 3;

export class Connection {
  #address: string;
  #join: Join;
  #listener: Listener;
  #socket: WebSocket | null = null;
  #joined = false;
  #closed = false;
  #failures = 0;
  /** The server has closed a connection for a violation, and none has been stable since. */
  #violated = false;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  /** Nothing has been received on the socket yet. */
  #silent = true;
  #openTimer: ReturnType<typeof setTimeout> | undefined;
  /** The server answered over HTTP when a socket had failed. */
  #serverUp = false;
  /** The server's reason for closing the last connection, until there is a new one. */
  #reason = '';
  #unanswered = new Map<string, { request: Request | Rules | Say; at: number }>();
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #stableTimer: ReturnType<typeof setInterval> | undefined;
  #pings = 0;
  #pingedAt = 0;
  #roundTrips: number[] = [];
  /** The last ping of the server on this socket, and when it was answered. */
  #answered: { number: number; at: number } | null = null;
  /** The table's game has no turns, so time counts. */
  #hurries = false;
  /** A requested earlier position has not arrived yet. */
  #looking = false;
  /** The position to request next. */
  #nextLook: number | null = null;
  /** Requested earlier acts have not arrived yet. */
  #paging = false;

  constructor(address: string, join: Join, listener: Listener) {
    this.#address = address;
    this.#join = join;
    this.#listener = listener;
    this.#listener.link('connecting', '');
    this.#open();
  }

  /** Sends a request and stores it until it is acknowledged or refused. */
  ask(request: Request | Rules | Say): void {
    const at = performance.now();
    this.#unanswered.set(request.id, { request, at });
    if (this.#joined) this.#send(this.#dated(request, at));
    this.#awaitAnswers();
  }

  /** The round trip to the server in milliseconds: the median of the last few samples. */
  get lag(): number | null {
    const middle = [...this.#roundTrips].sort((a, b) => a - b)[this.#roundTrips.length >> 1];
    return middle === undefined ? null : Math.round(middle);
  }

  /** Requests an earlier position. While one is awaited, only the last request is queued; offline, none is. */
  look(seq: number): void {
    if (!this.#joined) return;
    if (this.#looking) {
      this.#nextLook = seq;
      return;
    }
    this.#looking = true;
    this.#send({ type: 'look', seq });
  }

  /** Requests the acts before a number, one page at a time. */
  history(before: number): void {
    if (!this.#joined || this.#paging) return;
    this.#paging = true;
    this.#send({ type: 'history', before });
  }

  /** Requests the solved values of a position. */
  solve(seq: number): void {
    if (this.#joined) this.#send({ type: 'solve', seq });
  }

  /** Requests the analysis of a position; null: stops it. */
  analyse(seq: number | null): void {
    if (this.#joined) this.#send({ type: 'analyse', seq });
  }

  /** Shows the others what is in hand; dropped without a connection. */
  carry(seat: number, what: string | null): void {
    if (this.#joined) this.#send({ type: 'hold', seat, what });
  }

  /** Shows the others where the hand of a seat is; dropped without a connection. */
  aim(seat: number, at: [number, number] | null): void {
    if (this.#joined) this.#send({ type: 'aim', seat, at });
  }

  /** Uses these codes for joining from now on; `again`: joins immediately. */
  hold(codes: string[], again: boolean): void {
    this.#join = { ...this.#join, codes };
    if (again) this.rejoin();
  }

  /** Requests the table again. */
  rejoin(): void {
    if (this.#joined) this.#enter();
  }

  /** Reconnects now instead of waiting, or waiting on for a socket that does not open. */
  retry(): void {
    if (this.#socket?.readyState === WebSocket.CONNECTING) this.drop();
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#retryTimer);
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
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#answerTimer);
    clearTimeout(this.#openTimer);
    clearInterval(this.#pingTimer);
    clearInterval(this.#stableTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#silent = true;
    const quick = QUICK_OPEN_MS + 4 * (this.lag ?? 0) + 500 * this.#failures;
    const patience = this.#hurries ? Math.min(quick, ANSWER_TIMEOUT_MS) : ANSWER_TIMEOUT_MS;
    this.#openTimer = setTimeout(() => this.drop(), patience);
    socket.onopen = () => {
      clearTimeout(this.#openTimer);
      this.#openTimer = setTimeout(() => this.drop(), ANSWER_TIMEOUT_MS);
      this.#enter();
    };
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
    clearTimeout(this.#openTimer);
    this.#silent = this.#serverUp = false;
    if (message.type === 'pong') {
      if (message.number === this.#pings)
        this.#roundTrips = [...this.#roundTrips, performance.now() - this.#pingedAt].slice(-LAG_SAMPLES);
      return;
    }
    if (message.type === 'ping') {
      this.#answered = { number: message.number, at: performance.now() };
      return this.#send({ type: 'pong', number: message.number });
    }
    if (message.type === 'ack' || message.type === 'refused') {
      this.#unanswered.delete(message.id);
      this.#awaitAnswers();
    }
    if (message.type === 'history' || message.type === 'error') this.#paging = false;
    if (message.type === 'past' || message.type === 'error') this.#lookAnswered();
    const joined = this.#joined;
    if (message.type === 'welcome' || message.type === 'resumed') this.#joined = true;
    this.#listener.message(message);
    if (joined || (message.type !== 'welcome' && message.type !== 'resumed')) return;
    this.#hurries = !message.table.turns;
    if (!this.#violated) this.#failures = 0;
    this.#reason = '';
    this.#listener.link('open', '');
    for (const { request, at } of this.#unanswered.values()) {
      const late = this.#hurries && request.type === 'act' && performance.now() - at > ACT_LIFETIME_MS;
      this.#send(late ? { ...request, lapsed: true } : this.#dated(request, at));
    }
    this.#awaitAnswers();
    this.#ping();
    this.#pingTimer = setInterval(() => this.#ping(), message.table.turns ? PING_MS : FAST_PING_MS);
    this.#stableTimer = setInterval(() => this.#markStable(), PING_MS);
  }

  /** Says when an act was made, by which the server knows an act that was on its way for too long. */
  #dated(request: Request | Rules | Say, at: number): Request | Rules | Say {
    const last = this.#answered;
    if (request.type !== 'act' || !this.#hurries || !last) return request;
    return { ...request, made: [last.number, Math.round(at - last.at)] };
  }

  /** The requested earlier position has arrived. */
  #lookAnswered(): void {
    this.#looking = false;
    const next = this.#nextLook;
    this.#nextLook = null;
    if (next !== null) this.look(next);
  }

  /** Resets the backoff when the connection has lasted for a while. */
  #markStable(): void {
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
    this.#nextLook = this.#answered = null;
    clearTimeout(this.#answerTimer);
    clearTimeout(this.#openTimer);
    clearInterval(this.#pingTimer);
    clearInterval(this.#stableTimer);
    this.#reason = why || this.#reason;
    this.#listener.link('lost', this.#reason || (this.#serverUp ? BLOCKED : ''));
    if (this.#silent && !why) void this.#checkServer();
    if (violation) {
      this.#violated = true;
      this.#failures = Math.max(this.#failures, VIOLATION_FAILURES);
    }
    const wait = this.#backoff();
    this.#failures += 1;
    // Spread out, so that not all clients reconnect to a restarted server at the same time.
    this.#retryTimer = setTimeout(() => this.#open(), wait * (0.5 + Math.random() / 2));
  }

  #backoff(): number {
    const quick = this.#hurries && !this.#violated;
    if (quick && this.#failures < QUICK_RETRIES) return this.#failures === 0 ? 0 : QUICK_RETRY_MS;
    const failures = quick ? this.#failures - QUICK_RETRIES : this.#failures;
    return Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** failures);
  }

  /** Checks whether only sockets fail, which the next loss reports, or the server is down. */
  async #checkServer(): Promise<void> {
    const isUp = await this.#listener.isServerUp();
    if (this.#closed || this.#joined) return;
    if (this.#serverUp && !isUp) this.#listener.link('lost', '');
    this.#serverUp = isUp;
  }

  #awaitAnswers(): void {
    clearTimeout(this.#answerTimer);
    if (this.#joined && this.#unanswered.size > 0) this.#answerTimer = setTimeout(() => this.drop(), ANSWER_TIMEOUT_MS);
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }
}
