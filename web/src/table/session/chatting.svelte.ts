/** This browser's part in the chat of a table: what was read, who is muted, and what was refused. */

import { announcer } from '../../app/announcer.svelte';
import { chatShown } from '../../app/prefs.svelte';
import { hex, type StoredTable } from '../../app/tables';
import type { ChatMessage, Say, Seat, ServerMessage } from '../../wire';
import { chatWords, newMessages } from '../state/chat';

interface Table {
  messages: () => ChatMessage[];
  seats: () => Seat[];
  send: (message: Say) => void;
  /** Stores what was read and who is muted for the next visit. */
  store: () => void;
}

export class Chatting {
  /** The number of the last message that was read here. */
  lastRead = $state(0);
  /** The names of players whose messages are not shown. */
  muted = $state.raw<string[]>([]);
  /** A message that was refused, and why. */
  unsent = $state.raw<{ text: string; trouble: string } | null>(null);
  readonly unread = $derived.by(() => this.#newSince(this.lastRead).length);
  /** The number of the last message that was announced. */
  announced: number;
  #unanswered = new Map<string, string>();
  #table: Table;

  constructor(table: Table, stored: StoredTable | null) {
    this.#table = table;
    this.lastRead = this.announced = stored?.heard ?? 0;
    this.muted = stored?.muted ?? [];
  }

  /** Sends a message to all or, as a remark on the position after this number of acts, to the designer of the game. */
  say(text: string, remark?: number): void {
    const id = hex(12);
    this.unsent = null;
    this.#unanswered.set(id, text);
    this.#table.send(remark === undefined ? { type: 'say', id, text } : { type: 'say', id, text, remark });
  }

  /** Marks all messages as read. */
  markRead(): void {
    const last = this.#last();
    if (last <= this.lastRead) return;
    this.lastRead = last;
    this.#table.store();
  }

  mute(name: string, muted: boolean): void {
    this.muted = muted ? [...this.muted, name] : this.muted.filter((other) => other !== name);
    this.#table.store();
  }

  /** Handles the answer to a chat message of this browser; false if `message` is anything else. */
  isAnsweredBy(message: ServerMessage): boolean {
    if (message.type !== 'ack' && message.type !== 'refused') return false;
    const text = this.#unanswered.get(message.id);
    if (text === undefined) return false;
    this.#unanswered.delete(message.id);
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
