/** The course of a game of Icehouse as a picture: the scores along the time of play, and what happened when. */

import type { Review } from './wire';

export interface Size {
  width: number;
  height: number;
}

/** What the lanes above the scores tell. */
export type What = 'iced' | 'taken' | 'calls';

export interface Mark {
  what: What;
  at: number;
  /** Who did it. */
  seat: number;
  /** A call that found nobody. */
  isVain: boolean;
}

/** The room beside the scores: on the left for words and numbers, on the right for the marks of the seats. */
export const LEFT = 40;
const RIGHT = 22;
/** How high a lane of marks is, and the room above and below the scores. */
export const LANE = 18;
const MARGIN = 10;
/** Lines of equal scores lie beside each other, this far apart. */
const APART = 3;
/** The marks at the ends of the lines do not cover each other. */
const MARK_HEIGHT = 13;
/** There are at most so many lines across. */
const MAX_LEVELS = 5;

/** Where a time lies in the picture: play begins on the left; what was before lies there too. */
export function xOf({ began, ended }: Review, at: number, width: number): number {
  const share = ended > began ? Math.max(0, at - began) / (ended - began) : 0;
  return LEFT + share * Math.max(0, width - LEFT - RIGHT);
}

/** The number of the last act at a time or before. */
export function actAt({ course }: Review, at: number): number {
  return course.findLast((standing) => standing.at <= at)?.act ?? 0;
}

/** The act that a place in the picture leads to. */
export function stepAt(review: Review, x: number, width: number): number {
  const { began, ended } = review;
  const share = (x - LEFT) / Math.max(1, width - LEFT - RIGHT);
  return actAt(review, began + Math.min(1, Math.max(0, share)) * (ended - began));
}

/** What happened when, in the order of the lanes. */
export function marks({ icings, captures, calls, meltdowns }: Review): Mark[] {
  return [
    ...icings.flatMap(({ by, start }) => (by === null ? [] : [mark('iced', start, by)])),
    ...captures.map(({ at, seat }) => mark('taken', at, seat)),
    ...calls.map(({ at, seat, verdict }) => mark('calls', at, seat, verdict !== 'true')),
    ...meltdowns.map(({ at, seat, pieces }) => mark('calls', at, seat, pieces.length === 0)),
  ];
}

function mark(what: What, at: number, seat: number, isVain = false): Mark {
  return { what, at, seat, isVain };
}

/** The lanes that have a mark, from the top. */
export function lanesOf(all: Mark[]): What[] {
  return [...new Set(all.map(({ what }) => what))];
}

/** The scores at which lines go across: round numbers from 0 to the highest score or just above. */
export function levels(review: Review): number[] {
  const highest = Math.max(1, ...review.course.flatMap(({ scores }) => scores));
  const step = [1, 2, 5, 10, 20, 50, 100].find((one) => highest / one < MAX_LEVELS) ?? highest;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, level) => level * step);
}

/** The scores as they are drawn below the lanes. */
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

  /** The score of a seat along the game as an SVG path of steps. */
  line(seat: number): string {
    const steps = this.#review.course.map(({ at, scores }, index) => {
      const x = round(xOf(this.#review, at, this.#size.width));
      const y = round(this.#heights(scores)[seat]!);
      return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
    });
    return `${steps.join('')}H${round(this.#size.width - RIGHT)}`;
  }

  /** Where the line of each seat ends, spread so that their marks do not cover each other. */
  ends(): { x: number; ys: number[] } {
    const scores = this.#review.course.at(-1)?.scores ?? [];
    const wanted = this.#heights(scores);
    const low = this.#size.height - MARK_HEIGHT / 2;
    return { x: this.#size.width - RIGHT / 2 + 1, ys: spread(wanted, MARK_HEIGHT, low) };
  }

  /** The heights of scores, those that are equal beside each other. */
  #heights(scores: number[]): number[] {
    return scores.map((score, seat) => {
      const before = scores.slice(0, seat).filter((other) => other === score).length;
      const equal = scores.filter((other) => other === score).length;
      return this.yOf(score) + (before - (equal - 1) / 2) * APART;
    });
  }
}

/** Places as near as can be to those wanted that lie at least so far apart, none below `low`. */
export function spread(wanted: number[], apart: number, low: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => wanted[other]! - wanted[one]!);
  const places = [...wanted];
  let room = low;
  for (const index of order) {
    places[index] = Math.min(places[index]!, room);
    room = places[index] - apart;
  }
  return places;
}

function round(number: number): number {
  return Math.round(100 * number) / 100;
}
