/** What spaces are worth: the accounts of a view in words, and how they open one after another at the end. */

import { counted, list } from '../../app/words';
import { share, type Span } from '../../board/flight';
import { nameOf } from '../../board/words';
import type { Seat } from '../../wire';
import { UNSEEN } from './pieces';
import type { Account, Layout, View } from './wire';

type Counts = Pick<Layout, 'counts' | 'covers'>;

/** "number 4, Ann 5 pips, Ben 3 pips: Ann scores 3 + 4 = 7", "Ann 6 pips, Ben 2 pips: Ann leads for 2 + the number". */
export function accountWords(layout: Counts, account: Account, hidden: number, seats: Seat[]): string {
  const { counts, owner, points, number } = account;
  const unknown = layout.covers && number === undefined;
  const shares = [
    ...(number === undefined ? [] : [`number ${number}`]),
    ...counts.map((count, seat) => `${nameOf(seats, seat)} ${counted(count, layout.counts ?? 'point')}`),
    ...(hidden ? [`${hidden} hidden`] : []),
  ].join(', ');
  if (owner === undefined) return `${shares}: ${unknown ? 'tied, nobody would score' : 'nobody scores'}`;
  const name = nameOf(seats, owner);
  if (unknown) return `${shares}: ${name} leads and would score ${points} + the number`;
  const sum = number === undefined ? points : `${points! - number} + ${number} = ${points}`;
  return `${shares}: ${name} scores ${sum}`;
}

/** The number of pieces of a space that nobody sees. */
export function unseenOn({ stacks }: View, space: string): number {
  return (stacks[space] ?? []).filter((piece) => piece === UNSEEN).length;
}

/** The number of spaces that a seat leads by what is seen, and their points, without unknown numbers. */
export function leads({ accounts = {} }: View, seat: number): { spaces: number; points: number } {
  const led = Object.values(accounts).filter(({ owner }) => owner === seat);
  return { spaces: led.length, points: led.reduce((sum, { points = 0 }) => sum + points, 0) };
}

/** "leads 3 stacks for 7 points and their numbers". */
export function leadWords({ covers }: Counts, { spaces, points }: ReturnType<typeof leads>): string {
  const numbers = covers ? ` and ${spaces === 1 ? 'its number' : 'their numbers'}` : '';
  return spaces === 0
    ? 'leads no stack'
    : `leads ${counted(spaces, 'stack')} for ${counted(points, 'point')}${numbers}`;
}

// Numbers beside the board

/** More dice are shown in heaps. */
const MAX_SINGLE_DICE = 16;

/** Equal numbers. `left`: those that are not shown on their spaces yet. */
export interface Heap {
  number: number;
  count: number;
  left: number;
}

/** Numbers, smallest first: one by one, or in heaps if there are many. */
export function heaps(numbers: number[], shown: number[]): Heap[] {
  const all = [...new Set(numbers)].map((number) => {
    const count = numbers.filter((other) => other === number).length;
    return { number, count, left: count - shown.filter((other) => other === number).length };
  });
  if (numbers.length > MAX_SINGLE_DICE) return all;
  return all.flatMap(({ number, count, left }) =>
    Array.from({ length: count }, (_, i) => ({ number, count: 1, left: i < left ? 1 : 0 })),
  );
}

/** "The numbers 1, 1, 2 and 6 lie under the covers; nobody knows where." */
export function poolWords({ covers }: Counts, numbers: number[], shown: number[] = []): string {
  const left = heaps(numbers, shown).flatMap((heap) => Array.from({ length: heap.left }, () => `${heap.number}`));
  if (!covers) return `The dice show ${list(left)}.`;
  if (left.length === 0) return 'All numbers are shown.';
  return left.length === 1
    ? `The number ${left[0]} is still hidden.`
    : `The numbers ${list(left)} lie under the covers; nobody knows where.`;
}

// Covers, and their opening

/** Whether a cover hides the number of a space. */
export function isCovered({ covers }: Counts, { accounts }: View, space: string): boolean {
  return covers === true && accounts?.[space]?.number === undefined;
}

/** A cover is taken off, the number is shown, the points are counted: shares of the time of a space. */
const STAGES = { opens: [0, 0.3], shows: [0.2, 0.4], scores: [0.5, 0.65] } as const;
/** The share after which a number is seen. */
export const SHOWN = (STAGES.shows[0] + STAGES.shows[1]) / 2;

/** The progress of a stage, from 0 to 1. */
export function stage(opened: number, name: keyof typeof STAGES): number {
  const [start, end] = STAGES[name];
  return share({ start, end }, opened);
}

/** The progress of the opening of a space, from 0 to 1. */
export function openedAt({ accounts }: View, opens: ReadonlyMap<string, Span> | undefined, space: string, at: number) {
  if (accounts?.[space]?.number === undefined) return 0;
  const span = opens?.get(space);
  return span ? share(span, at) : 1;
}
