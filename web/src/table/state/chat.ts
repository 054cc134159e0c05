/** The chat of a table: plain data, and sentences about it. */

import { counted } from '../../app/words';
import type { ChatMessage, Seat } from '../../wire';

/** Messages of one person within this time are shown under one name. */
const GROUP_MS = 3 * 60_000;

/** All known messages, each once, in order. */
export function withMessages(chat: ChatMessage[], more: ChatMessage[]): ChatMessage[] {
  const last = chat.at(-1)?.number ?? 0;
  return [...chat, ...more.filter((message) => message.number > last)];
}

/** Whether a player at this browser wrote it, and still has the seat. */
export function isOwn(seats: Seat[], { seat, name }: ChatMessage): boolean {
  return seats.some((own) => own.mine && own.seat === seat && own.name === name);
}

/** What others wrote after message number `last`, without muted names. */
export function newMessages(chat: ChatMessage[], last: number, seats: Seat[], muted: string[]): ChatMessage[] {
  return chat.filter((message) => message.number > last && !isOwn(seats, message) && !muted.includes(message.name));
}

/** What a screen reader says about new messages. */
export function chatWords(messages: ChatMessage[]): string {
  const [first] = messages;
  if (!first) return '';
  return messages.length === 1 ? `${first.name}: ${first.text}` : `${counted(messages.length, 'new message')}.`;
}

/** The names of the others who have written or can write: they can be muted. */
export function speakers(chat: ChatMessage[], seats: Seat[]): string[] {
  const seated = seats.filter((seat) => seat.kind === 'person' && !seat.mine).map((seat) => seat.name);
  const writers = chat.filter((message) => !isOwn(seats, message)).map((message) => message.name);
  return [...new Set([...seated, ...writers])];
}

/** Whether a message is shown under the name of the previous one. */
export function continues(before: ChatMessage | undefined, message: ChatMessage): boolean {
  return before?.seat === message.seat && before.name === message.name && message.at - before.at < GROUP_MS;
}
