/** What part of the field is in the picture. It follows the play, until somebody moves or enlarges it themselves. */

import { cubicInOut } from 'svelte/easing';
import { Tween } from 'svelte/motion';
import type { Layout } from './wire';
import type { Spot } from './geometry';
import { inPlay, MARGIN, wholeField, type Part } from './framing';
import { turned, turnedSpot } from './turn';

const MOST = 10;
/** Until all that has come to the field is in the picture, in milliseconds. */
const SLOWLY = 500;

export class Camera {
  /** Of the picture, in pixels. */
  width = $state(1);
  height = $state(1);
  #layout: () => Layout;
  #turn: () => number;
  #placed: readonly Spot[] = [];
  /** What is looked at by keys, wherever it is. */
  #looked: Spot | null = null;
  #followed: Tween<Part>;
  /** What somebody has chosen to see; null: the play is followed. */
  #own = $state.raw<{ zoom: number; middle: Spot } | null>(null);

  /** `turn`: quarters of a whole turn by which the field is turned, counter-clockwise. */
  constructor(layout: () => Layout, turn: () => number = () => 0) {
    this.#layout = layout;
    this.#turn = turn;
    this.#followed = new Tween(inPlay(layout(), []), { easing: cubicInOut });
  }

  readonly #whole = $derived.by(() => this.#scaleFor(wholeField(this.#layout())));
  /** Pixels for a thousandth of an inch. */
  readonly scale = $derived.by(() => {
    return this.#own ? this.#own.zoom * this.#whole : this.#scaleFor(this.#followed.current);
  });
  /** How much larger than with the whole field in the picture. */
  readonly zoom = $derived.by(() => this.scale / this.#whole);
  /** The place in the middle of the picture. */
  readonly middle = $derived.by((): Spot => this.#within(this.#own?.middle ?? this.#followed.current));
  readonly follows = $derived.by(() => this.#own === null);
  /** The view box of a picture in which y grows downwards. */
  readonly box = $derived.by(() => {
    const { x, y } = this.#corner();
    return `${x} ${y} ${this.width / this.scale} ${this.height / this.scale}`;
  });

  /** The place on the field at a point of the picture, in pixels from its upper left corner. */
  spotAt(left: number, top: number): Spot {
    const { x, y } = this.#corner();
    const seen = { x: x + left / this.scale, y: this.#layout().height - y - top / this.scale };
    return turnedSpot(seen, this.#layout(), -this.#turn());
  }

  /** Where a place on the field is in the picture, in pixels. */
  pixelAt(spot: Spot): Spot {
    const { x, y } = this.#corner();
    const seen = turnedSpot(spot, this.#layout(), this.#turn());
    return { x: (seen.x - x) * this.scale, y: (this.#layout().height - seen.y - y) * this.scale };
  }

  /** The way on the field that is so far to the right and up in the picture. */
  wayOf(right: number, up: number): Spot {
    return turned({ x: right, y: up }, -this.#turn());
  }

  pan(right: number, down: number): void {
    const way = this.wayOf(right / this.scale, -down / this.scale);
    const { x, y } = this.middle;
    this.#show(this.zoom, { x: x - way.x, y: y - way.y });
  }

  /** Enlarges; what is at a point of the picture stays there. */
  zoomBy(factor: number, left = this.width / 2, top = this.height / 2): void {
    const before = this.spotAt(left, top);
    this.#show(Math.max(1, Math.min(MOST, this.zoom * factor)), this.middle);
    const after = this.spotAt(left, top);
    const { x, y } = this.middle;
    this.#show(this.zoom, { x: x + before.x - after.x, y: y + before.y - after.y });
  }

  /** Follows the play again; where it does so, shows the whole field. */
  showAll(): void {
    this.#looked = null;
    const { x, y } = wholeField(this.#layout());
    this.#own = this.#own ? null : { zoom: 1, middle: { x, y } };
    if (!this.#own) this.#follow(true);
  }

  /** What lies on the field comes into the picture, unless somebody has chosen what to see. */
  frame(placed: readonly Spot[], smoothly: boolean): void {
    this.#placed = placed;
    this.#follow(smoothly);
  }

  /** Moves no further than needed for a place to be well within the picture. */
  follow(spot: Spot): void {
    if (!this.#own) {
      this.#looked = spot;
      return this.#follow(false);
    }
    const { x, y } = this.#own.middle;
    const turn = this.#turn();
    const way = turned({ x: spot.x - x, y: spot.y - y }, turn);
    const [across, down] = [(0.4 * this.width) / this.scale, (0.4 * this.height) / this.scale];
    const further = turned({ x: beyond(way.x, across), y: beyond(way.y, down) }, -turn);
    this.#show(this.#own.zoom, { x: x + further.x, y: y + further.y });
  }

  #follow(smoothly: boolean): void {
    const places = this.#looked ? [...this.#placed, this.#looked] : this.#placed;
    const part = inPlay(this.#layout(), places);
    if (!isSame(part, this.#followed.target)) void this.#followed.set(part, { duration: smoothly ? SLOWLY : 0 });
  }

  #show(zoom: number, middle: Spot): void {
    this.#own = { zoom, middle };
    this.#own = { zoom, middle: this.#within(middle) };
  }

  #scaleFor({ width, height }: Part): number {
    const { x, y } = this.#seen({ x: width, y: height });
    return Math.min(this.width / x, this.height / y);
  }

  /** The upper left corner of the picture, in its own view box. */
  #corner(): Spot {
    const { x, y } = turnedSpot(this.middle, this.#layout(), this.#turn());
    return {
      x: x - this.width / this.scale / 2,
      y: this.#layout().height - y - this.height / this.scale / 2,
    };
  }

  /** No more of what lies off the field comes into the picture than has to. */
  #within({ x, y }: Spot): Spot {
    const { width, height } = this.#layout();
    const seen = this.#seen({ x: this.width / this.scale, y: this.height / this.scale });
    return { x: within(x, width, seen.x), y: within(y, height, seen.y) };
  }

  /** Sides of the field as sides of the picture, or the other way round. */
  #seen({ x, y }: Spot): Spot {
    return this.#turn() % 2 === 0 ? { x, y } : { x: y, y: x };
  }
}

function within(middle: number, side: number, seen: number): number {
  const least = seen / 2 - MARGIN;
  return least >= side / 2 ? side / 2 : Math.max(least, Math.min(side - least, middle));
}

/** How much further than that it is, on either side. */
function beyond(way: number, most: number): number {
  return way - Math.max(-most, Math.min(most, way));
}

function isSame(one: Part, other: Part): boolean {
  return one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
}
