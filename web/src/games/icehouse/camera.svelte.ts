/** The part of the field in the picture: the whole field, what the user has chosen, or what is in play. */

import { cubicInOut } from 'svelte/easing';
import { Tween } from 'svelte/motion';
import type { Layout } from './wire';
import type { Spot } from './geometry';
import { inPlay, MARGIN, wholeField, type Part } from './framing';
import { turned, turnedSpot } from './turn';

const MAX_ZOOM = 10;
const FOLLOW_MS = 500;

export class Camera {
  /** Of the picture, in pixels. */
  width = $state(1);
  height = $state(1);
  #layout: () => Layout;
  #turn: () => number;
  #placed: readonly Spot[] = [];
  /** The spot chosen by keys. */
  #chosen: Spot | null = null;
  #followed: Tween<Part>;
  /** The user's own choice; null: the camera follows play. */
  #own = $state.raw<{ zoom: number; middle: Spot } | null>(null);

  /** `turn`: the rotation of the field, in quarter turns counter-clockwise. */
  constructor(layout: () => Layout, turn: () => number = () => 0) {
    this.#layout = layout;
    this.#turn = turn;
    this.#followed = new Tween(inPlay(layout(), []), { easing: cubicInOut });
    this.#own = this.#all();
  }

  readonly #whole = $derived.by(() => this.#scaleFor(wholeField(this.#layout())));
  /** Pixels per thousandth of an inch. */
  readonly scale = $derived.by(() => {
    return this.#own ? this.#own.zoom * this.#whole : this.#scaleFor(this.#followed.current);
  });
  /** The scale relative to that of the whole field. */
  readonly zoom = $derived.by(() => this.scale / this.#whole);
  /** The spot in the middle of the picture. */
  readonly middle = $derived.by((): Spot => this.#within(this.#own?.middle ?? this.#followed.current));
  readonly follows = $derived.by(() => this.#own === null);
  /** The view box of a picture in which y grows downwards. */
  readonly box = $derived.by(() => {
    const { x, y } = this.#corner();
    return `${x} ${y} ${this.width / this.scale} ${this.height / this.scale}`;
  });

  /** The spot on the field at a point of the picture, in pixels from its upper left corner. */
  spotAt(left: number, top: number): Spot {
    const { x, y } = this.#corner();
    const spot = { x: x + left / this.scale, y: this.#layout().height - y - top / this.scale };
    return turnedSpot(spot, this.#layout(), -this.#turn());
  }

  /** The point of the picture at a spot on the field, in pixels. */
  pixelAt(spot: Spot): Spot {
    const { x, y } = this.#corner();
    const rotated = turnedSpot(spot, this.#layout(), this.#turn());
    return { x: (rotated.x - x) * this.scale, y: (this.#layout().height - rotated.y - y) * this.scale };
  }

  /** Converts an offset in the picture into one on the field. */
  offset(right: number, up: number): Spot {
    return turned({ x: right, y: up }, -this.#turn());
  }

  pan(right: number, down: number): void {
    const offset = this.offset(right / this.scale, -down / this.scale);
    const { x, y } = this.middle;
    this.#show(this.zoom, { x: x - offset.x, y: y - offset.y });
  }

  /** Zooms around a point of the picture. */
  zoomBy(factor: number, left = this.width / 2, top = this.height / 2): void {
    const before = this.spotAt(left, top);
    this.#show(Math.max(1, Math.min(MAX_ZOOM, this.zoom * factor)), this.middle);
    const after = this.spotAt(left, top);
    const { x, y } = this.middle;
    this.#show(this.zoom, { x: x + before.x - after.x, y: y + before.y - after.y });
  }

  /** Follows play again, or shows the whole field if it does already. */
  showAll(): void {
    this.#chosen = null;
    this.#own = this.#own ? null : this.#all();
    if (!this.#own) this.#follow(true);
  }

  #all(): { zoom: number; middle: Spot } {
    const { x, y } = wholeField(this.#layout());
    return { zoom: 1, middle: { x, y } };
  }

  /** Brings all pieces into the picture, if the user wants to see what is in play. */
  frame(placed: readonly Spot[], smoothly: boolean): void {
    this.#placed = placed;
    this.#follow(smoothly);
  }

  /** Moves only as far as needed to have a spot well within the picture. */
  follow(spot: Spot): void {
    if (!this.#own) {
      this.#chosen = spot;
      return this.#follow(false);
    }
    const { x, y } = this.#own.middle;
    const turn = this.#turn();
    const offset = turned({ x: spot.x - x, y: spot.y - y }, turn);
    const [across, down] = [(0.4 * this.width) / this.scale, (0.4 * this.height) / this.scale];
    const further = turned({ x: beyond(offset.x, across), y: beyond(offset.y, down) }, -turn);
    this.#show(this.#own.zoom, { x: x + further.x, y: y + further.y });
  }

  #follow(smoothly: boolean): void {
    const places = this.#chosen ? [...this.#placed, this.#chosen] : this.#placed;
    const part = inPlay(this.#layout(), places);
    if (!isSame(part, this.#followed.target)) void this.#followed.set(part, { duration: smoothly ? FOLLOW_MS : 0 });
  }

  #show(zoom: number, middle: Spot): void {
    this.#own = { zoom, middle };
    this.#own = { zoom, middle: this.#within(middle) };
  }

  #scaleFor({ width, height }: Part): number {
    const { x, y } = this.#sides({ x: width, y: height });
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

  /** Limits the middle so that no more than necessary of the picture is off the field. */
  #within({ x, y }: Spot): Spot {
    const { width, height } = this.#layout();
    const visible = this.#sides({ x: this.width / this.scale, y: this.height / this.scale });
    return { x: within(x, width, visible.x), y: within(y, height, visible.y) };
  }

  /** Converts sides of the field into sides of the picture, and back. */
  #sides({ x, y }: Spot): Spot {
    return this.#turn() % 2 === 0 ? { x, y } : { x: y, y: x };
  }
}

function within(middle: number, side: number, visible: number): number {
  const min = visible / 2 - MARGIN;
  return min >= side / 2 ? side / 2 : Math.max(min, Math.min(side - min, middle));
}

/** The part of a number that exceeds a limit, on either side of 0. */
function beyond(value: number, limit: number): number {
  return value - Math.max(-limit, Math.min(limit, value));
}

function isSame(a: Part, b: Part): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}
