/** The course of a game of Icehouse as a picture: the scores over time, and events. */

import type { Mark, Review } from './wire';

export interface Size {
  width: number;
  height: number;
}

/** The margins beside the scores: on the left for words and numbers, on the right for the marks of the seats. */
export const LEFT = 40;
const RIGHT = 22;
/** The height of a lane, and the margin above and below the scores. */
export const LANE = 18;
const MARGIN = 10;
/** Between the lines of equal scores. */
const LINE_SPACING = 3;
const MARK_HEIGHT = 13;
const MAX_LEVELS = 5;

/** The position of a time in the picture: play starts on the left, and so do earlier acts. */
export function xOf({ length }: Review, at: number, width: number): number {
  const share = length > 0 ? at / length : 0;
  return LEFT + share * Math.max(0, width - LEFT - RIGHT);
}

/** The last act before a position in the picture. */
export function stepAt({ course, length }: Review, x: number, width: number): number {
  const share = (x - LEFT) / Math.max(1, width - LEFT - RIGHT);
  const at = Math.min(1, Math.max(0, share)) * length;
  return course.findLastIndex((standing) => standing.at <= at);
}

/** The lanes with marks, from the top. */
export function lanesOf(all: Mark[]): Mark['lane'][] {
  return [...new Set(all.map(({ lane }) => lane))];
}

/** The scores of the grid lines: round numbers from 0 to the highest score or just above. */
export function levels(review: Review): number[] {
  const highest = Math.max(1, ...review.course.flatMap(({ scores }) => scores));
  const step = [1, 2, 5, 10, 20, 50, 100].find((size) => highest / size < MAX_LEVELS) ?? highest;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, level) => level * step);
}

/** The drawing of the scores below the lanes. */
export class Plot {
  readonly #review: Review;
  readonly #size: Size;
  readonly #top: number;
  readonly #highest: number;

  constructor(review: Review, size: Size, lanes: number) {
    this.#review = review;
    this.#size = size;
    this.#top = lanes * LANE + MARGIN;
    this.#highest = levels(review).at(-1)!;
  }

  yOf(score: number): number {
    const low = this.#size.height - MARGIN;
    return low - (score / this.#highest) * (low - this.#top);
  }

  /** The score of a seat over time as an SVG path. */
  line(seat: number): string {
    const steps = this.#review.course.map(({ at, scores }, index) => {
      const x = round(xOf(this.#review, at, this.#size.width));
      const y = round(this.#heights(scores)[seat]!);
      return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    });
    return `${steps.join('')}H${round(this.#size.width - RIGHT)}`;
  }

  /** The ends of the lines, spread so that their marks do not overlap. */
  ends(): { x: number; ys: number[] } {
    const scores = this.#review.course.at(-1)?.scores ?? [];
    const wanted = this.#heights(scores);
    const low = this.#size.height - MARK_HEIGHT / 2;
    return { x: this.#size.width - RIGHT / 2 + 1, ys: spread(wanted, MARK_HEIGHT, low) };
  }

  /** The heights of scores, with equal ones side by side. */
  #heights(scores: number[]): number[] {
    return scores.map((score, seat) => {
      const before = scores.slice(0, seat).filter((other) => other === score).length;
      const equal = scores.filter((other) => other === score).length;
      return this.yOf(score) + (before - (equal - 1) / 2) * LINE_SPACING;
    });
  }
}

/** The positions closest to the wanted ones that are at least `apart` from each other, none below `low`. */
export function spread(wanted: number[], apart: number, low: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[b]! - wanted[a]!);
  const positions = [...wanted];
  let room = low;
  for (const index of order) {
    positions[index] = Math.min(positions[index]!, room);
    room = positions[index] - apart;
  }
  return positions;
}

function round(number: number): number {
  return Math.round(100 * number) / 100;
}
