/** What people say at a table: plain data, and sentences about it. */

import { counted } from '../app/words';
import type { ChatMessage, Seat } from '../wire';

/** Remarks of one person that follow each other closely stand under one name. */
const CLOSE = 3 * 60_000;

/** All remarks known, each once, in their order. */
export function withRemarks(talk: ChatMessage[], more: ChatMessage[]): ChatMessage[] {
  const last = talk.at(-1)?.number ?? 0;
  return [...talk, ...more.filter((remark) => remark.number > last)];
}

/** Somebody at this browser said it, and still has the seat. */
export function isOurs(seats: Seat[], { seat, name }: ChatMessage): boolean {
  return seats.some((one) => one.mine && one.seat === seat && one.name === name);
}

/** What others said behind number `heard`, apart from who is muted. */
export function newRemarks(talk: ChatMessage[], heard: number, seats: Seat[], muted: string[]): ChatMessage[] {
  return talk.filter((one) => one.number > heard && !isOurs(seats, one) && !muted.includes(one.name));
}

/** What is spoken of new remarks. */
export function talkWords(remarks: ChatMessage[]): string {
  const [first] = remarks;
  if (!first) return '';
  return remarks.length === 1 ? `${first.name}: ${first.text}` : `${counted(remarks.length, 'new remark')}.`;
}

/** The others who talk or may talk, by name: they can be muted. */
export function talkers(talk: ChatMessage[], seats: Seat[]): string[] {
  const seated = seats.filter((seat) => seat.kind === 'person' && !seat.mine).map((seat) => seat.name);
  const heard = talk.filter((remark) => !isOurs(seats, remark)).map((remark) => remark.name);
  return [...new Set([...seated, ...heard])];
}

/** Whether a remark goes on under the name of the one before. */
export function goesOn(before: ChatMessage | undefined, remark: ChatMessage): boolean {
  return before?.seat === remark.seat && before.name === remark.name && remark.at - before.at < CLOSE;
}
