/** What part of the field is in the picture: it can be moved and enlarged. */

import type { Layout } from './wire';
import type { Spot } from './geometry';

/** Around the field, thousandths of an inch. */
const MARGIN = 260;
const MOST = 10;

export class Camera {
  /** Of the picture, in pixels. */
  width = $state(1);
  height = $state(1);
  zoom = $state(1);
  #layout: () => Layout;
  /** What is in the middle; null: that of the field. */
  #middle = $state.raw<Spot | null>(null);

  constructor(layout: () => Layout) {
    this.#layout = layout;
  }

  /** Pixels for a thousandth of an inch. */
  readonly scale = $derived.by(() => {
    const { width, height } = this.#layout();
    return this.zoom * Math.min(this.width / (width + 2 * MARGIN), this.height / (height + 2 * MARGIN));
  });
  readonly middle = $derived.by((): Spot => {
    const { width, height } = this.#layout();
    return this.#middle ?? { x: width / 2, y: height / 2 };
  });
  /** The view box of a picture in which y grows downwards. */
  readonly box = $derived.by(() => {
    const { x, y } = this.#corner();
    return `${x} ${y} ${this.width / this.scale} ${this.height / this.scale}`;
  });

  /** The place on the field at a point of the picture, in pixels from its upper left corner. */
  spotAt(left: number, top: number): Spot {
    const { x, y } = this.#corner();
    return { x: x + left / this.scale, y: this.#layout().height - y - top / this.scale };
  }

  /** Where a place on the field is in the picture, in pixels. */
  pixelAt(spot: Spot): Spot {
    const { x, y } = this.#corner();
    return { x: (spot.x - x) * this.scale, y: (this.#layout().height - spot.y - y) * this.scale };
  }

  pan(right: number, down: number): void {
    const { x, y } = this.middle;
    this.#goTo({ x: x - right / this.scale, y: y + down / this.scale });
  }

  /** Enlarges; what is at a point of the picture stays there. */
  zoomBy(factor: number, left = this.width / 2, top = this.height / 2): void {
    const before = this.spotAt(left, top);
    this.zoom = Math.max(1, Math.min(MOST, this.zoom * factor));
    const after = this.spotAt(left, top);
    const { x, y } = this.middle;
    this.#goTo({ x: x + before.x - after.x, y: y + before.y - after.y });
  }

  showAll(): void {
    this.zoom = 1;
    this.#middle = null;
  }

  /** Moves no further than needed for a place to be well within the picture. */
  follow(spot: Spot): void {
    const [across, down] = [(0.4 * this.width) / this.scale, (0.4 * this.height) / this.scale];
    const { x, y } = this.middle;
    this.#goTo({
      x: Math.max(spot.x - across, Math.min(spot.x + across, x)),
      y: Math.max(spot.y - down, Math.min(spot.y + down, y)),
    });
  }

  #corner(): Spot {
    const { x, y } = this.middle;
    return {
      x: x - this.width / this.scale / 2,
      y: this.#layout().height - y - this.height / this.scale / 2,
    };
  }

  /** No more of what lies off the field comes into the picture than has to. */
  #goTo({ x, y }: Spot): void {
    const { width, height } = this.#layout();
    this.#middle = {
      x: within(x, width, this.width / this.scale),
      y: within(y, height, this.height / this.scale),
    };
  }
}

function within(middle: number, side: number, seen: number): number {
  const least = seen / 2 - MARGIN;
  return least >= side / 2 ? side / 2 : Math.max(least, Math.min(side - least, middle));
}
