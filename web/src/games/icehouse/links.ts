/** For tests: connections that delay, stall and lose messages, and a table that judges acts in order of arrival. */

import type { ClientMessage, Frame, ServerMessage, TableInfo } from '../../wire';
import type { View } from './wire';
import { LAYOUT, view } from './fixtures';

type Random = () => number;

/** A generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One-way times of a player's connection in milliseconds. */
export interface Line {
  delay: number;
  jitter: number;
}

/** A browser's socket to a table; messages stay in order in both directions. */
export class LinkedSocket {
  static #connectedTable: FakeTable;
  static #lines: Line[];
  static #connectedRandom: Random;
  static #newest = new Map<number, LinkedSocket>();

  /** Connects new sockets to a table, with a line for each player. */
  static connect(table: FakeTable, lines: Line[], random: Random): void {
    [this.#connectedTable, this.#lines, this.#connectedRandom] = [table, lines, random];
  }

  static newest(seat: number): LinkedSocket {
    return this.#newest.get(seat)!;
  }

  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  sent: ClientMessage[] = [];
  #open = true;
  #busy = { up: 0, down: 0 };
  #table = LinkedSocket.#connectedTable;
  #random = LinkedSocket.#connectedRandom;
  #seat: number;
  #line: Line;

  /** The address ends with the seat. */
  constructor(address: string) {
    this.#seat = Number(address.at(-1));
    this.#line = LinkedSocket.#lines[this.#seat]!;
    LinkedSocket.#newest.set(this.#seat, this);
    setTimeout(() => this.#open && this.onopen?.(), this.#line.delay);
  }

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    this.sent.push(message);
    this.#carry('up', () => this.#table.receive(this, this.#seat, message));
  }

  say(message: ServerMessage): void {
    this.#carry('down', () => this.onmessage?.({ data: JSON.stringify(message) }));
  }

  /** Holds messages back for a while; then all arrive together. */
  stall(time: number): void {
    this.#busy.up = this.#busy.down = Math.max(this.#busy.up, this.#busy.down, Date.now() + time);
  }

  /** Cuts the connection and loses all messages on their way. */
  cut(): void {
    if (!this.#open) return;
    this.close();
    this.onclose?.({ code: 1006, reason: '' });
  }

  close(): void {
    this.#open = false;
    this.#table.leave(this);
  }

  #carry(direction: 'up' | 'down', arrive: () => void): void {
    const { delay, jitter } = this.#line;
    const at = Math.max(this.#busy[direction], Date.now() + delay + jitter * this.#random());
    this.#busy[direction] = at;
    setTimeout(() => this.#open && arrive(), at - Date.now());
  }
}

/** A piece on the table, and the request that placed it. */
export interface Placed {
  id: string;
  name: string;
}

/**
 * A table of two seats with hands, pads, debts and calls. The last digit of a placement's x decides about it: 9 crashes,
 * 8 is refused.
 */
export class FakeTable {
  state: View = view({
    field: [],
    pads: [pad('red'), pad('green')],
    hands: [null, null],
    ready: [0, 1],
    scores: [0, 0],
  });
  lines: Frame['line'][] = [];
  placed: Placed[] = [];
  /** By request: how often it was judged. */
  judged = new Map<string, number>();
  #answers = new Map<string, ServerMessage & { type: 'ack' | 'refused' }>();
  #sockets = new Map<LinkedSocket, number>();
  #info: TableInfo;

  constructor(info: TableInfo) {
    this.#info = info;
  }

  receive(socket: LinkedSocket, seat: number, message: ClientMessage): void {
    if (message.type === 'ping') return socket.say({ type: 'pong', number: message.number });
    if (message.type === 'join') {
      this.#sockets.set(socket, seat);
      const table = this.#table(seat);
      const since = message.seen?.seq;
      const frame = this.#frame(seat);
      if (since === undefined) socket.say({ type: 'welcome', table, lines: this.#lines(0), frame, ending: null });
      else socket.say({ type: 'resumed', table, lines: this.#lines(since), frame });
      return;
    }
    if (message.type !== 'act') return;
    let answer = this.#answers.get(message.id);
    if (!answer) {
      this.judged.set(message.id, (this.judged.get(message.id) ?? 0) + 1);
      const refused = message.after !== undefined && this.#answers.get(message.after)?.type !== 'ack';
      const dropped = refused ? 'fell-through' : message.lapsed ? 'lapsed' : null;
      const code = dropped ?? this.#play(seat, message.text, message.id);
      const fault = { code: code ?? '', message: code ?? '', rule: null, where: [] };
      answer = code ? { type: 'refused', id: message.id, fault } : { type: 'ack', id: message.id, seq: 0 };
      this.#answers.set(message.id, answer);
      if (!code) this.#show(seat, message.text);
    }
    socket.say(answer);
  }

  leave(socket: LinkedSocket): void {
    this.#sockets.delete(socket);
  }

  #show(seat: number, text: string): void {
    this.lines.push({ seq: this.lines.length + 1, seat, text, effects: [] });
    for (const [socket, own] of this.#sockets) socket.say({ type: 'frame', frame: this.#frame(own) });
  }

  #lines(since: number): NonNullable<Frame['line']>[] {
    return this.lines.slice(since).map((line) => line!);
  }

  #table(seat: number): TableInfo {
    const colours = ['red', 'green'];
    const seats = colours.map((colour, number) => ({
      seat: number,
      kind: 'person' as const,
      name: colour,
      level: null,
      colour,
      mine: number === seat,
      gone: false,
    }));
    return { ...this.#info, turns: false, seats, layout: { ...LAYOUT, colours } };
  }

  #frame(seat: number): Frame {
    const owes = this.state.owed[seat];
    const legal = owes === undefined ? ['icehouse'] : [`give ${owes} ${seat ? 'red' : 'green'}`];
    return { seq: this.lines.length, line: this.lines.at(-1) ?? null, view: this.state, legal: { [seat]: legal } };
  }

  /** Makes an act, or returns the code of its refusal. */
  #play(seat: number, text: string, id: string): string | null {
    const [verb, what = '', to = ''] = text.split(' ');
    const { hands, owed } = this.state;
    const held = hands[seat] ?? null;
    if (verb !== 'give' && owed[seat] !== undefined) return 'in-debt';
    switch (verb) {
      case 'lift':
        if (held !== null) return 'hand-full';
        return this.#take(seat, what.includes(':') ? what : `${what}:${seat ? 'green' : 'red'}`);
      case 'return':
        if (held === null) return 'hand-empty';
        return this.#empty([seat]);
      case 'place': {
        if (held === null) return 'hand-empty';
        const last = /(\d),/.exec(what)?.[1];
        if (last === '8') return 'points-at-nothing';
        if (last === '9') this.#empty([seat]);
        else this.#place(seat, held, id);
        if (last === '9') this.state = { ...this.state, owed: { ...owed, [seat]: held } };
        return null;
      }
      case 'icehouse':
        return this.#empty([0, 1]);
      case 'give': {
        if (owed[seat] === undefined) return 'nothing-owed';
        const { [seat]: piece, ...others } = owed;
        this.#count(seat, piece!, -1);
        this.#count(to === 'red' ? 0 : 1, piece!, 1);
        this.state = { ...this.state, owed: others };
        return null;
      }
    }
    return 'bad-notation';
  }

  #take(seat: number, name: string): string | null {
    const [size, colour] = name.split(':') as ['S', 'red'];
    if (!this.state.pads[seat]?.[colour]?.[size]) return 'not-on-pad';
    this.#count(seat, name, -1);
    this.#hold(seat, name);
    return null;
  }

  #place(seat: number, name: string, id: string): void {
    this.#hold(seat, null);
    this.placed.push({ id, name });
  }

  #empty(seats: number[]): null {
    for (const seat of seats) {
      const held = this.state.hands[seat];
      if (held) this.#count(seat, held, 1);
      this.#hold(seat, null);
    }
    return null;
  }

  #hold(seat: number, name: string | null): void {
    this.state = { ...this.state, hands: this.state.hands.map((held, other) => (other === seat ? name : held)) };
  }

  #count(seat: number, name: string, change: number): void {
    const [size, colour] = name.split(':') as ['S', 'red'];
    const pads = this.state.pads.map((pad, other) =>
      other === seat ? { ...pad, [colour]: { ...pad[colour], [size]: (pad[colour]?.[size] ?? 0) + change } } : pad,
    );
    this.state = { ...this.state, pads };
  }
}

function pad(colour: string): View['pads'][number] {
  return { [colour]: { S: 50, M: 50, L: 50 } };
}
