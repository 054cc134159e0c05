/** One visit to a table: the state on show, the socket behind it, and what the visitor may do. */

import { announcer } from '../app/announcer.svelte';
import { keepTable, keptTable } from '../app/tables';
import { games } from '../games/registry';
import type { ServerMessage, TableInfo } from '../wire';
import { Connection, type Link } from './net';
import { news } from './news';
import { actingSeat, hasGap, NOTHING, reduce, type Doing, type TableState } from './table-state';

export class Session {
  state = $state.raw<TableState>(NOTHING);
  link = $state<Link>('connecting');
  readonly view = $derived(this.state.table ? games[this.state.table.game] : undefined);
  #connection: Connection;
  #codes: string[];

  constructor(id: string) {
    this.#codes = keptTable(id)?.codes ?? [];
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.#connection = new Connection(
      `${scheme}//${location.host}/ws`,
      { type: 'join', table: id, codes: this.#codes },
      { message: (message) => this.#hear(message), link: (link) => this.#feel(link) },
    );
  }

  act(text: string): void {
    const seat = actingSeat(this.state);
    if (seat === null) return;
    const id = newId();
    this.#do({ type: 'asked', id });
    this.#connection.ask({ type: 'act', id, seat, text });
  }

  undo(to: number): void {
    const id = newId();
    this.#do({ type: 'returned' });
    this.#do({ type: 'asked', id });
    this.#connection.ask({ type: 'undo', id, to });
  }

  /** Shows the position after `seq` acts; the newest one means to be back in the game. */
  look(seq: number): void {
    const before = this.state.looking;
    this.#do({ type: 'looking', seq });
    const { looking } = this.state;
    if (looking !== null) this.#connection.look(looking);
    else if (before !== null) announcer.say('Back at the newest position.');
  }

  /** Back from the past to the game. */
  live(): void {
    this.look(Infinity);
  }

  /** Asks what the acts of a position are worth; the answer may take a while. */
  solve(seq: number): void {
    this.#connection.solve(seq);
  }

  dismiss(): void {
    this.#do({ type: 'dismissed' });
  }

  retry(): void {
    this.#connection.retry();
  }

  drop(): void {
    this.#connection.drop();
  }

  close(): void {
    this.#connection.close();
  }

  #do(event: ServerMessage | Doing): void {
    this.state = reduce(this.state, event);
  }

  #hear(message: ServerMessage): void {
    const before = this.state;
    this.#do(message);
    const { polite, assertive } = news(before, message, this.view);
    if (polite) announcer.say(polite);
    if (assertive) announcer.interrupt(assertive);
    if (message.type === 'welcome') this.#arrive(message.table);
    if (message.type === 'frame' && hasGap(this.state)) this.#connection.rejoin();
  }

  #arrive(table: TableInfo): void {
    keepTable({
      id: table.id,
      game: table.game,
      title: table.title,
      names: table.seats.map((seat) => seat.name),
      when: Date.now(),
      codes: this.#codes,
    });
    if (this.state.looking !== null) this.#connection.look(this.state.looking);
  }

  #feel(link: Link): void {
    if (link === 'lost' && this.link === 'open') announcer.say('The connection is lost. Trying again.');
    this.link = link;
  }
}

/** Not `randomUUID`, which browsers offer on secure pages only: a table on the home network has none. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
