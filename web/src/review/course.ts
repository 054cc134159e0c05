/** The course of a reviewed game: the shares of all seats in each position, strokes of luck, and faults. */

import type { ActLabel, Review } from '../wire';

export interface Size {
  width: number;
  height: number;
}

/** A lucky event. `seat`: the one that gained most. */
export interface Stroke {
  /** The index of the act. */
  index: number;
  seat: number;
  luck: number;
}

/** Least luck of a marked stroke, in shares of the game. */
const MIN_LUCK = 0.05;
const MAX_STROKES = 8;
/** Least regret of a listed act, in shares of the game. */
const MIN_REGRET = 0.01;

/** SVG path of the mark for a stroke of luck. */
export const LUCK_PATH = 'M0-6L6 0 0 6-6 0Z';

/** "Start", "After move 3 of 20". */
export function stepWords(step: number, steps: number): string {
  return step === 0 ? 'Start' : `After move ${step} of ${steps}`;
}

/** The x coordinate of a position in the graph. */
export function xOf(step: number, steps: number, width: number): number {
  return steps === 0 ? 0 : (step / steps) * width;
}

/** The position nearest to an x coordinate in the graph. */
export function stepAt(x: number, steps: number, width: number): number {
  return width <= 0 ? 0 : Math.min(steps, Math.max(0, Math.round((x / width) * steps)));
}

/** The shares up to the last known position; gaps repeat the position before. */
export function filled(worths: (number[] | null)[]): number[][] {
  let before = worths.find((worth) => worth !== null) ?? [];
  return worths
    .slice(0, worths.findLastIndex((worth) => worth !== null) + 1)
    .map((worth) => (before = worth ?? before));
}

/** The stacked areas of all seats as SVG paths, the first seat’s on top. `steps`: the length of the whole game. */
export function areas(worths: number[][], { width, height }: Size, steps = worths.length - 1): string[] {
  const edge = (seat: number): string[] =>
    worths.map((worth, step) => {
      const above = worth.slice(0, seat).reduce((sum, share) => sum + share, 0);
      return `${round(xOf(step, steps, width))} ${round(Math.min(1, above) * height)}`;
    });
  const seats = worths[0]?.map((_, seat) => seat) ?? [];
  return seats.map((seat) => `M${[...edge(seat), ...edge(seat + 1).reverse()].join('L')}Z`);
}

/** The luckiest events, in the order of the game. */
export function strokes({ acts }: Pick<Review, 'acts'>): Stroke[] {
  const found = acts.flatMap(({ luck }, index) => {
    const gain = Math.max(...luck);
    return gain >= MIN_LUCK ? [{ index, seat: luck.indexOf(gain), luck: gain }] : [];
  });
  const greatest = [...found].sort((a, b) => b.luck - a.luck).slice(0, MAX_STROKES);
  return greatest.sort((a, b) => a.index - b.index);
}

/** The acts with enough regret to be listed: those of one's own seats first, each time the costliest first. */
export function costly({ acts, costliest }: Review, mine: ReadonlySet<number>): number[] {
  const listed = costliest.filter((index) => acts[index]!.regret >= MIN_REGRET);
  const isOwn = (index: number): boolean => mine.has(acts[index]!.seat);
  return [...listed.filter(isOwn), ...listed.filter((index) => !isOwn(index))];
}

/** An act with a label, to mark where the areas of its seat and the next one meet. */
export interface Fault {
  index: number;
  seat: number;
  label: ActLabel;
  /** From 0, the top of the graph, to 1. */
  y: number;
}

export function faults({ acts, positions }: Pick<Review, 'acts' | 'positions'>): Fault[] {
  return acts.flatMap(({ seat, label }, index) => {
    const worth = positions[index + 1]?.worth ?? [];
    const above = worth.slice(0, Math.min(seat + 1, worth.length - 1)).reduce((sum, share) => sum + share, 0);
    return label ? [{ index, seat, label, y: Math.min(1, above) }] : [];
  });
}

/** The position after the next fault (`direction` 1) or the previous one (-1), if any. */
export function adjacentFault(faults: Fault[], current: number, direction: -1 | 1): number | undefined {
  const steps = faults.map(({ index }) => index + 1);
  return direction > 0 ? steps.find((step) => step > current) : steps.findLast((step) => step < current);
}

function round(number: number): number {
  return Math.round(100 * number) / 100;
}
