/** The course of a game that was reviewed: what each position was worth, and where chance changed it. */

import type { ActLabel, Review } from '../wire';

export interface Size {
  width: number;
  height: number;
}

/** What chance brought with an act: `seat` had most of it. */
export interface Stroke {
  /** The number of positions before the act. */
  index: number;
  seat: number;
  luck: number;
}

/** Less luck than this is not marked, in shares of the game. */
const NOTABLE = 0.05;
/** No more strokes of luck than this are marked. */
const MAX_MARKED = 8;
/** Cheaper acts are not listed, in shares of the game. */
const WORTH_A_LINE = 0.01;

/** The sign of a stroke of luck. */
export const LUCK = 'M0-6L6 0 0 6-6 0Z';

/** "Start", "After move 3 of 20". */
export function placeWords(step: number, steps: number): string {
  return step === 0 ? 'Start' : `After move ${step} of ${steps}`;
}

/** Where a position lies in the picture. */
export function xOf(step: number, steps: number, width: number): number {
  return steps === 0 ? 0 : (step / steps) * width;
}

/** The position nearest to a place in the picture. */
export function stepAt(x: number, steps: number, width: number): number {
  return width <= 0 ? 0 : Math.min(steps, Math.max(0, Math.round((x / width) * steps)));
}

/** What is known so far of what positions are worth: where one is not known yet, the one before stands for it. */
export function known(worths: (number[] | null)[]): number[][] {
  let before = worths.find((worth) => worth !== null) ?? [];
  return worths
    .slice(0, worths.findLastIndex((worth) => worth !== null) + 1)
    .map((worth) => (before = worth ?? before));
}

/**
 * The area of each seat as an SVG path, the first seat’s on top: at every position their heights add up to the whole.
 * `steps`: how many there are in all.
 */
export function areas(worths: number[][], { width, height }: Size, steps = worths.length - 1): string[] {
  const edge = (seat: number): string[] =>
    worths.map((worth, step) => {
      const above = worth.slice(0, seat).reduce((sum, share) => sum + share, 0);
      return `${round(xOf(step, steps, width))} ${round(Math.min(1, above) * height)}`;
    });
  const seats = worths[0]?.map((_, seat) => seat) ?? [];
  return seats.map((seat) => `M${[...edge(seat), ...edge(seat + 1).reverse()].join('L')}Z`);
}

/** The greatest strokes of luck, in the order of the game. */
export function strokes({ acts }: Pick<Review, 'acts'>): Stroke[] {
  const found = acts.flatMap(({ luck }, index) => {
    const most = Math.max(...luck);
    return most >= NOTABLE ? [{ index, seat: luck.indexOf(most), luck: most }] : [];
  });
  const greatest = [...found].sort((one, other) => other.luck - one.luck).slice(0, MAX_MARKED);
  return greatest.sort((one, other) => one.index - other.index);
}

/** The acts that cost enough to be worth a line, the costliest first. */
export function costly({ acts, costliest }: Review): number[] {
  return costliest.filter((index) => acts[index]!.regret >= WORTH_A_LINE);
}

/** An act with a name: its number, and where the shares of its seat and of the next one meet after it. */
export interface Fault {
  index: number;
  seat: number;
  label: ActLabel;
  /** From 0, the top of the picture, to 1. */
  y: number;
}

/** The acts that cost so much that they have a name, in the order of the game. */
export function faults({ acts, positions }: Pick<Review, 'acts' | 'positions'>): Fault[] {
  return acts.flatMap(({ seat, label }, index) => {
    const worth = positions[index + 1]?.worth ?? [];
    const above = worth.slice(0, Math.min(seat + 1, worth.length - 1)).reduce((sum, share) => sum + share, 0);
    return label ? [{ index, seat, label, y: Math.min(1, above) }] : [];
  });
}

/** The number of the position after the next fault (`way` 1) or the one before (-1); undefined: there is none. */
export function besideFault(faults: Fault[], current: number, way: -1 | 1): number | undefined {
  const places = faults.map(({ index }) => index + 1);
  return way > 0 ? places.find((place) => place > current) : places.findLast((place) => place < current);
}

function round(number: number): number {
  return Math.round(100 * number) / 100;
}
