/** A piece dragged over the table by mouse or finger. */

import { squash, type Look, type Point } from '../pieces/projection';
import type { Source } from './hand';

interface Table {
  look(): Look;
  spaceAt(point: Point): string | null;
  /** Whether this can be picked up now. */
  grab(source: Source): boolean;
  /** The drag has begun, or has ended without a drop. */
  take(source: Source | null): void;
  drop(source: Source, target: string | null): void;
}

interface Held {
  source: Source;
  start: Point;
  /** Pixels that the pointer must move to turn a tap into a drag. */
  slack: number;
  /** The piece's place over the table; null while this can still be a tap. */
  at: Point | null;
  over: string | null;
}

const SLACK_PIXELS = { mouse: 5, touch: 10 };

export class Drag {
  /** The picture that the pointer's coordinates are converted to. */
  picture: SVGSVGElement | undefined = $state();
  #held = $state.raw<Held | null>(null);
  #table: Table;
  #dropped = false;

  constructor(table: Table) {
    this.#table = table;
  }

  get at(): Point | null {
    return this.#held?.at ?? null;
  }

  /** Whether a pointer is down on something that can be dragged. */
  get holds(): boolean {
    return this.#held !== null;
  }

  /** The space under the dragged piece. */
  get over(): string | null {
    return this.#held?.over ?? null;
  }

  /** Whether the next click is just the end of a drag. */
  get dropped(): boolean {
    return this.#dropped;
  }

  press(event: PointerEvent, source: Source): void {
    if (event.button !== 0 || !event.isPrimary || !this.#table.grab(source)) return;
    const slack = event.pointerType === 'mouse' ? SLACK_PIXELS.mouse : SLACK_PIXELS.touch;
    this.#held = { source, start: { x: event.clientX, y: event.clientY }, slack, at: null, over: null };
  }

  move(event: PointerEvent): void {
    const held = this.#held;
    if (!held || !event.isPrimary) return;
    const { start, slack, at, source } = held;
    if (!at && Math.hypot(event.clientX - start.x, event.clientY - start.y) < slack) return;
    if (!at) this.#table.take(source);
    const matrix = this.picture?.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const place = { x: point.x, y: -point.y / squash(this.#table.look()) };
    this.#held = { ...held, at: place, over: this.#table.spaceAt(point) };
  }

  release(event: PointerEvent): void {
    const held = this.#held;
    if (!held || !event.isPrimary) return;
    this.#held = null;
    if (!held.at) return;
    this.#dropped = true;
    setTimeout(() => (this.#dropped = false));
    this.#table.drop(held.source, held.over);
  }

  cancel(): void {
    if (this.at) this.#table.take(null);
    this.#held = null;
  }

  end(): void {
    this.#held = null;
  }
}
