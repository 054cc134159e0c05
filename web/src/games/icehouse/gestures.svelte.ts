/** Mouse and touch on the field: carrying, turning and letting go a piece, or panning and zooming the picture. */

import type { Kind } from './acts';
import type { FieldPiece } from './wire';
import type { Camera } from './camera.svelte';
import type { Footprint, Spot } from './geometry';
import type { Hand } from './hand.svelte';
import type { Ground } from './placing';

interface Table {
  hand: Hand;
  camera: Camera;
  ground: () => Ground;
  /** The possible targets of the piece in hand. */
  targets: () => FieldPiece[];
  /** Called with the piece that was clicked; null: the empty field. */
  onpick: (piece: FieldPiece | null) => void;
  /** Aims the piece in hand at a target; returns whether it can. */
  onaim: (target: FieldPiece) => boolean;
  /** Called with the piece under the mouse. */
  onhover: (piece: FieldPiece | null) => void;
}

/** The position of a pointer, in pixels of the page. */
interface Finger {
  x: number;
  y: number;
}

type Gesture =
  /** Takes a piece from the pad; releasing the mouse over the field places it. */
  | { kind: 'carry'; from: Finger; moved: boolean; touch: boolean }
  /** Places when the mouse is released; moving it turns the piece first. */
  | { kind: 'press'; from: Finger; base: Spot; moved: boolean }
  /** Aims at the target under the mouse. */
  | { kind: 'aim'; from: Finger; target: FieldPiece; moved: boolean }
  /** Moves the ghost as on a touchpad, so that the finger does not hide it. */
  | { kind: 'slide'; from: Finger; start: Spot; moved: boolean }
  | { kind: 'pan'; from: Finger; last: Finger; moved: boolean }
  /** Turns the piece in hand with two fingers, or pans and zooms the picture. */
  | { kind: 'pinch'; angle: number; span: number; middle: Finger; heading: number };

const DRAG_THRESHOLD_PX = { mouse: 6, touch: 10 };
/** The distance of a carried piece above the finger. */
const CARRY_OFFSET_PX = 64;
const TARGET_RADIUS_PX = 22;
/** Tenths of a degree per pixel of a wheel; with Shift a tenth of that. */
const TURN_PER_PX = 0.5;
/** Powers of e per pixel of a wheel; a pinch on a touchpad sends fewer pixels. */
const ZOOM_PER_PX = { wheel: 0.0018, pinch: 0.01 };
const LINE_PX = 33;

export class Gestures {
  field: HTMLElement | undefined = $state();
  /** The finger that moves or turns the piece in hand, in pixels of the picture; null: none. */
  aims: Finger | null = $state.raw(null);
  /** A click aimed the piece in hand, which does not follow the mouse until the next click. */
  fixed = $state(false);
  /** That click aimed anew, because the place of the one before it had been taken. */
  renewed = $state(false);
  #table: Table;
  #drag: Gesture | null = null;
  #fingers = new Map<number, Finger>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** Handles a press on a piece of the pad. */
  carry(event: PointerEvent, kind: Kind): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const touch = event.pointerType !== 'mouse';
    const { hand } = this.#table;
    const before = hand.name;
    hand.lift(kind);
    this.#fingers.set(event.pointerId, fingerOf(event));
    this.#drag = { kind: 'carry', from: fingerOf(event), moved: false, touch };
    if (touch && hand.name !== before) hand.show();
  }

  press(event: PointerEvent): void {
    const { hand } = this.#table;
    const [finger, touch] = [fingerOf(event), event.pointerType !== 'mouse'];
    if (!touch && event.button === 2 && hand.held) return hand.tip();
    if (!touch && event.button > 1) return;
    this.#fingers.set(event.pointerId, finger);
    if (this.#fingers.size === 2) this.#drag = this.#pinch();
    else if (this.#fingers.size > 2) this.#drag = null;
    else if (!hand.held || event.button === 1) this.#drag = { kind: 'pan', from: finger, last: finger, moved: false };
    else if (touch) this.#drag = { kind: 'slide', from: finger, start: hand.pose, moved: false };
    else this.#drag = this.#pressed(finger);
  }

  move(event: PointerEvent): void {
    const finger = fingerOf(event);
    const touch = event.pointerType !== 'mouse';
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, finger);
    else if (touch) return;
    const drag = this.#drag;
    if (!drag) return touch ? undefined : this.#hover(finger);
    if (drag.kind === 'pinch') {
      this.aim(finger);
      return this.#twist(drag);
    }
    drag.moved ||= distance(finger, drag.from) > (touch ? DRAG_THRESHOLD_PX.touch : DRAG_THRESHOLD_PX.mouse);
    if (!drag.moved) return;
    if (touch) this.aim(finger);
    if (drag.kind === 'carry') this.#carryTo(drag.touch ? { x: finger.x, y: finger.y - CARRY_OFFSET_PX } : finger);
    else if (drag.kind === 'press') this.#aimAt(drag.base, this.#spotAt(finger));
    else if (drag.kind === 'slide') this.#slide(drag, finger);
    else if (drag.kind === 'pan') {
      this.#table.camera.pan(finger.x - drag.last.x, finger.y - drag.last.y);
      drag.last = finger;
    }
  }

  release(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId)) return;
    this.aim(null);
    const drag = this.#drag;
    this.#drag = null;
    if (!drag) return;
    const { hand } = this.#table;
    const finger = fingerOf(event);
    if (drag.kind === 'press') hand.place();
    else if (drag.kind === 'aim') this.#click(drag.target);
    else if (drag.kind === 'carry' && drag.moved && !drag.touch && this.#contains(finger)) this.#drop(finger);
    else if (drag.kind === 'slide' && !drag.moved) this.#tap(finger);
    else if (drag.kind === 'pan' && !drag.moved) this.#table.onpick(this.#pieceAt(this.#spotAt(finger)));
  }

  cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#drag = null;
    this.aim(null);
  }

  /** Sets the point of the page at which a finger aims, on the field or a button; null: the finger was lifted. */
  aim(finger: Finger | null): void {
    this.aims = finger && this.#inField(finger.x, finger.y);
  }

  leave(event: PointerEvent): void {
    if (event.pointerType !== 'mouse' || this.#drag) return;
    if (!this.fixed) this.#table.hand.over = false;
    this.#table.onhover(null);
  }

  /** Called when the hand is emptied or takes another piece. */
  forget(): void {
    this.fixed = false;
  }

  wheel(event: WheelEvent): void {
    const { hand, camera } = this.#table;
    event.preventDefault();
    const pixels = (event.deltaY || event.deltaX) * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
    if (hand.held && !event.ctrlKey) return hand.turn(-pixels * (event.shiftKey ? TURN_PER_PX / 10 : TURN_PER_PX));
    const { x, y } = this.#inField(event.clientX, event.clientY);
    camera.zoomBy(Math.exp(-pixels * (event.ctrlKey ? ZOOM_PER_PX.pinch : ZOOM_PER_PX.wheel)), x, y);
  }

  #hover(finger: Finger): void {
    const { hand, onhover } = this.#table;
    if (!this.#contains(finger)) return;
    if (!hand.held) onhover(this.#pieceAt(this.#spotAt(finger)));
    else if (!this.fixed) hand.moveTo(this.#spotAt(finger));
  }

  /** On a target, the mouse aims; elsewhere it places, after fetching a piece that was aimed. */
  #pressed(finger: Finger): Gesture | null {
    const target = this.#targetUnder(finger);
    if (target) return { kind: 'aim', from: finger, target, moved: false };
    const spot = this.#spotAt(finger);
    if (!this.fixed) return { kind: 'press', from: finger, base: spot, moved: false };
    this.fixed = false;
    this.#table.hand.moveTo(spot);
    return null;
  }

  #drop(finger: Finger): void {
    const target = this.#targetUnder(finger);
    if (target) this.#click(target);
    else this.#table.hand.place();
  }

  /** The first click aims at a target, since lying on it would be a crash; the second lets go. */
  #click(target: FieldPiece): void {
    const { hand, onaim } = this.#table;
    const { outcome, target: hit } = hand.verdict ?? {};
    if (this.fixed && outcome === 'fits' && hit?.id === target.id) hand.place();
    else {
      const wasTaken = this.fixed && outcome !== 'fits';
      this.fixed = onaim(target);
      this.renewed = wasTaken && this.fixed;
    }
  }

  /** The target under the mouse, unless the piece in hand can lie freely beside it. */
  #targetUnder(finger: Finger): FieldPiece | null {
    const isFree = !this.fixed && this.#table.hand.verdict?.sight;
    return isFree ? null : this.#targetAt(finger);
  }

  #carryTo(finger: Finger): void {
    const { hand } = this.#table;
    if (this.#contains(finger)) hand.moveTo(this.#spotAt(finger));
    else hand.over = false;
  }

  /** The middle of a lying piece's base stays where the button went down; its tip follows the mouse. */
  #aimAt(base: Spot, to: Spot): void {
    const { hand, ground } = this.#table;
    const angle = Math.atan2(to.y - base.y, to.x - base.x);
    hand.turnTo((angle * 1800) / Math.PI);
    if (hand.pose.standing || !hand.held) return;
    const half = ground().layout.lengths[hand.held.size] / 2;
    hand.moveTo({ x: base.x + half * Math.cos(angle), y: base.y + half * Math.sin(angle) });
  }

  #slide({ from, start }: { from: Finger; start: Spot }, finger: Finger): void {
    const { camera, hand } = this.#table;
    const { x, y } = camera.offset((finger.x - from.x) / camera.scale, (from.y - finger.y) / camera.scale);
    hand.moveTo({ x: start.x + x, y: start.y + y });
  }

  /** Only moves or aims the piece in hand: taps miss, so letting go has a button of its own. */
  #tap(finger: Finger): void {
    const { hand, onaim } = this.#table;
    const target = this.#targetAt(finger);
    if (!target) hand.moveTo(this.#spotAt(finger));
    else if (!onaim(target)) hand.over = false; // the player has not chosen the place where it is
  }

  /** For a lying piece in hand, a point near the target is enough. */
  #targetAt(finger: Finger): FieldPiece | null {
    const { hand, camera, targets } = this.#table;
    const [hit, at] = [this.#pieceAt(this.#spotAt(finger)), this.#inField(finger.x, finger.y)];
    const distanceTo = (piece: FieldPiece) => (hit === piece ? 0 : distance(at, camera.pixelAt(piece)));
    const [nearest] = targets().sort((a, b) => distanceTo(a) - distanceTo(b));
    return nearest && distanceTo(nearest) <= (hand.pose.standing ? 0 : TARGET_RADIUS_PX) ? nearest : null;
  }

  #pinch(): Gesture {
    return { kind: 'pinch', ...this.#pair(), heading: this.#table.hand.pose.heading };
  }

  #twist(drag: Extract<Gesture, { kind: 'pinch' }>): void {
    const { hand, camera } = this.#table;
    const now = this.#pair();
    if (hand.held) return hand.turnTo(drag.heading - ((now.angle - drag.angle) * 1800) / Math.PI);
    const { x, y } = this.#inField(now.middle.x, now.middle.y);
    camera.pan(now.middle.x - drag.middle.x, now.middle.y - drag.middle.y);
    camera.zoomBy(now.span / drag.span, x, y);
    Object.assign(drag, now);
  }

  #pair(): { angle: number; span: number; middle: Finger } {
    const [a, b] = [...this.#fingers.values()] as [Finger, Finger];
    return {
      angle: Math.atan2(b.y - a.y, b.x - a.x),
      span: Math.max(1, distance(a, b)),
      middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
    };
  }

  #inField(x: number, y: number): Finger {
    const box = this.field!.getBoundingClientRect();
    return { x: x - box.left, y: y - box.top };
  }

  #contains({ x, y }: Finger): boolean {
    const at = this.#inField(x, y);
    const { width, height } = this.#table.camera;
    return at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height;
  }

  #spotAt({ x, y }: Finger): Spot {
    const at = this.#inField(x, y);
    return this.#table.camera.spotAt(at.x, at.y);
  }

  #pieceAt(spot: Spot): FieldPiece | null {
    const { pieces, footprints } = this.#table.ground();
    return pieces[footprints.findIndex((piece) => covers(piece, spot))] ?? null;
  }
}

/** Keeps touch from scrolling: a browser may otherwise take the first tap after a drag for the end of a scroll. */
export function preventScroll(element: HTMLElement): () => void {
  const hold = (event: TouchEvent) => event.preventDefault();
  element.addEventListener('touchmove', hold, { passive: false });
  return () => element.removeEventListener('touchmove', hold);
}

function fingerOf(event: PointerEvent): Finger {
  return { x: event.clientX, y: event.clientY };
}

function distance(a: Finger, b: Finger): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function covers({ corners }: Footprint, { x, y }: Spot): boolean {
  return corners.every((q, i) => {
    const p = corners.at(i - 1)!;
    return (q.x - p.x) * (y - p.y) >= (q.y - p.y) * (x - p.x);
  });
}
