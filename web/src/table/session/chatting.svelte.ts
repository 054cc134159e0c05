/** The chat of a table as this browser takes part in it: what was seen of it, who is muted, and what was not accepted. */

import { announcer } from '../../app/announcer.svelte';
import { chatShown } from '../../app/prefs.svelte';
import { hex, type KeptTable } from '../../app/tables';
import type { ChatMessage, Say, Seat, ServerMessage } from '../../wire';
import { chatWords, newMessages } from '../state/chat';

interface Table {
  messages: () => ChatMessage[];
  seats: () => Seat[];
  send: (message: Say) => void;
  /** Keeps what was seen and who is muted for the next visit. */
  keep: () => void;
}

export class Chatting {
  /** The number of the last message that was seen here. */
  heard = $state(0);
  /** The names of players whose messages are not shown. */
  muted = $state.raw<string[]>([]);
  /** A message that was not accepted, and why. */
  unsent = $state.raw<{ text: string; trouble: string } | null>(null);
  readonly unread = $derived.by(() => this.#newSince(this.heard).length);
  /** The number of the last message that was announced. */
  announced: number;
  #saying = new Map<string, string>();
  #table: Table;

  constructor(table: Table, kept: KeptTable | null) {
    this.#table = table;
    this.heard = this.announced = kept?.heard ?? 0;
    this.muted = kept?.muted ?? [];
  }

  /** Says something to all; a remark goes to the designer of the game, on the position after so many acts. */
  say(text: string, remark?: number): void {
    const id = hex(12);
    this.unsent = null;
    this.#saying.set(id, text);
    this.#table.send(remark === undefined ? { type: 'say', id, text } : { type: 'say', id, text, remark });
  }

  /** All messages have been seen. */
  markRead(): void {
    const last = this.#last();
    if (last <= this.heard) return;
    this.heard = last;
    this.#table.keep();
  }

  mute(name: string, muted: boolean): void {
    this.muted = muted ? [...this.muted, name] : this.muted.filter((one) => one !== name);
    this.#table.keep();
  }

  /** Whether a message of the server answers one that was said here; then the board does not change. */
  isAnsweredBy(message: ServerMessage): boolean {
    if (message.type !== 'ack' && message.type !== 'refused') return false;
    const text = this.#saying.get(message.id);
    if (text === undefined) return false;
    this.#saying.delete(message.id);
    if (message.type === 'refused') {
      this.unsent = { text, trouble: message.fault.message };
      announcer.interrupt(message.fault.message);
    }
    return true;
  }

  announce(): void {
    const words = chatWords(this.#newSince(this.announced));
    this.announced = Math.max(this.announced, this.#last());
    if (words && chatShown.value) announcer.say(words);
  }

  #newSince(number: number): ChatMessage[] {
    return newMessages(this.#table.messages(), number, this.#table.seats(), this.muted);
  }

  #last(): number {
    return this.#table.messages().at(-1)?.number ?? 0;
  }
}
