/** Mouse and fingers on the field: carrying, turning and letting go a piece, or moving and enlarging the picture. */

import type { Kind } from './acts';
import type { FieldPiece, Layout } from './wire';
import type { Camera } from './camera.svelte';
import type { Footprint, Spot } from './geometry';
import type { Hand } from './hand.svelte';
import type { Ground } from './placing';

interface Table {
  hand: Hand;
  camera: Camera;
  ground: () => Ground;
  /** What the piece in hand could be pointed at. */
  targets: () => FieldPiece[];
  /** A piece was clicked, or the field beside all pieces. */
  onpick: (piece: FieldPiece | null) => void;
  /** This piece is meant as the target of the one in hand; whether that can be aimed at it. */
  onaim: (target: FieldPiece) => boolean;
  /** The mouse is over a piece. */
  onlook: (piece: FieldPiece | null) => void;
}

/** Where a pointer is, in pixels of the page. */
interface Finger {
  x: number;
  y: number;
}

type Doing =
  /** A piece from the pad; letting go of the mouse over the field places it. */
  | { kind: 'carry'; from: Finger; moved: boolean; touch: boolean }
  /** The mouse is down: letting go places, moving on turns first. */
  | { kind: 'press'; from: Finger; base: Spot; moved: boolean }
  /** The mouse is down on a target. */
  | { kind: 'aim'; from: Finger; target: FieldPiece; moved: boolean }
  /** A finger moves the ghost as on a touch pad, so that it does not hide it. */
  | { kind: 'slide'; from: Finger; start: Spot; moved: boolean }
  | { kind: 'pan'; from: Finger; last: Finger; moved: boolean }
  /** Two fingers: they turn the piece in hand, or else enlarge and move the picture. */
  | { kind: 'pinch'; angle: number; far: number; middle: Finger; heading: number };

const SLACK = { mouse: 6, touch: 10 };
/** How far above a finger the piece is that it carries, in pixels. */
const ABOVE = 64;
/** So near to a target's middle it is meant, in pixels. */
const NEAR = 22;
/** What a wheel turns for a pixel that it would scroll, in tenths of a degree; with Shift a tenth of that. */
const TURN = 0.5;
/** What a wheel enlarges for a pixel, as a power of e; pinching on a pad sends fewer of them. */
const ENLARGE = { wheel: 0.0018, pinch: 0.01 };
/** In pixels, where a wheel counts lines. */
const LINE = 33;

export class Gestures {
  field: HTMLElement | undefined = $state();
  /** The finger that moves or turns the piece in hand, in pixels of the picture; null: none does. */
  aims: Finger | null = $state.raw(null);
  /** A click has aimed the piece in hand: until the next one it does not follow the mouse. */
  stays = $state(false);
  #table: Table;
  #doing: Doing | null = null;
  #fingers = new Map<number, Finger>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** A piece on the pad is pressed. */
  carry(event: PointerEvent, kind: Kind): void {
    if (event.button !== 0 || !event.isPrimary) return;
    const touch = event.pointerType !== 'mouse';
    this.#table.hand.lift(kind);
    this.#fingers.set(event.pointerId, fingerOf(event));
    this.#doing = { kind: 'carry', from: fingerOf(event), moved: false, touch };
    if (touch) this.#table.hand.show();
  }

  press(event: PointerEvent): void {
    const { hand } = this.#table;
    const [finger, touch] = [fingerOf(event), event.pointerType !== 'mouse'];
    if (!touch && event.button === 2 && hand.held) return hand.tip();
    if (!touch && event.button > 1) return;
    this.#fingers.set(event.pointerId, finger);
    if (this.#fingers.size === 2) this.#doing = this.#pinch();
    else if (this.#fingers.size > 2) this.#doing = null;
    else if (!hand.held || event.button === 1) this.#doing = { kind: 'pan', from: finger, last: finger, moved: false };
    else if (touch) this.#doing = { kind: 'slide', from: finger, start: hand.pose, moved: false };
    else this.#doing = this.#pressed(finger);
  }

  move(event: PointerEvent): void {
    const finger = fingerOf(event);
    const touch = event.pointerType !== 'mouse';
    if (this.#fingers.has(event.pointerId)) this.#fingers.set(event.pointerId, finger);
    else if (touch) return;
    const doing = this.#doing;
    if (!doing) return touch ? undefined : this.#hover(finger);
    if (doing.kind === 'pinch') {
      this.aim(finger);
      return this.#twist(doing);
    }
    doing.moved ||= far(finger, doing.from) > (touch ? SLACK.touch : SLACK.mouse);
    if (!doing.moved) return;
    if (touch) this.aim(finger);
    if (doing.kind === 'carry') this.#carryTo(doing.touch ? { x: finger.x, y: finger.y - ABOVE } : finger);
    else if (doing.kind === 'press') this.#aimAt(doing.base, this.#spot(finger));
    else if (doing.kind === 'slide') this.#slide(doing, finger);
    else if (doing.kind === 'pan') {
      this.#table.camera.pan(finger.x - doing.last.x, finger.y - doing.last.y);
      doing.last = finger;
    }
  }

  release(event: PointerEvent): void {
    if (!this.#fingers.delete(event.pointerId)) return;
    this.aim(null);
    const doing = this.#doing;
    this.#doing = null;
    if (!doing) return;
    const { hand } = this.#table;
    const finger = fingerOf(event);
    if (doing.kind === 'press') hand.place();
    else if (doing.kind === 'aim') this.#click(doing.target);
    else if (doing.kind === 'carry' && doing.moved && !doing.touch && this.#holds(finger)) this.#drop(finger);
    else if (doing.kind === 'slide' && !doing.moved) this.#tap(finger);
    else if (doing.kind === 'pan' && !doing.moved) this.#table.onpick(this.#pieceAt(this.#spot(finger)));
  }

  cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#doing = null;
    this.aim(null);
  }

  /** A finger aims, on the field or on a button, at a point of the page; null: it is lifted. */
  aim(finger: Finger | null): void {
    this.aims = finger && this.#inField(finger.x, finger.y);
  }

  leave(event: PointerEvent): void {
    if (event.pointerType !== 'mouse' || this.#doing) return;
    if (!this.stays) this.#table.hand.over = false;
    this.#table.onlook(null);
  }

  /** The hand is empty or takes another piece. */
  forget(): void {
    this.stays = false;
  }

  wheel(event: WheelEvent): void {
    const { hand, camera } = this.#table;
    event.preventDefault();
    const pixels = (event.deltaY || event.deltaX) * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
    if (hand.held && !event.ctrlKey) return hand.turn(-pixels * (event.shiftKey ? TURN / 10 : TURN));
    const { x, y } = this.#inField(event.clientX, event.clientY);
    camera.zoomBy(Math.exp(-pixels * (event.ctrlKey ? ENLARGE.pinch : ENLARGE.wheel)), x, y);
  }

  #hover(finger: Finger): void {
    const { hand, onlook } = this.#table;
    if (!this.#holds(finger)) return;
    if (!hand.held) onlook(this.#pieceAt(this.#spot(finger)));
    else if (!this.stays) hand.moveTo(this.#spot(finger));
  }

  /** On a target the mouse aims; elsewhere it places, or first fetches the piece that has been aimed. */
  #pressed(finger: Finger): Doing | null {
    const target = this.#meant(finger);
    if (target) return { kind: 'aim', from: finger, target, moved: false };
    const spot = this.#spot(finger);
    if (!this.stays) return { kind: 'press', from: finger, base: spot, moved: false };
    this.stays = false;
    this.#table.hand.moveTo(spot);
    return null;
  }

  #drop(finger: Finger): void {
    const target = this.#meant(finger);
    if (target) this.#click(target);
    else this.#table.hand.place();
  }

  /** The first click aims at a target: to lie on it would be a crash. The second one lets go. */
  #click(target: FieldPiece): void {
    const { hand, onaim } = this.#table;
    const { outcome, target: met } = hand.verdict ?? {};
    if (this.stays && outcome === 'fits' && met?.id === target.id) hand.place();
    else this.stays = onaim(target);
  }

  /** The target that the mouse means: none where the piece in hand would lie free beside it. */
  #meant(finger: Finger): FieldPiece | null {
    const isFree = !this.stays && this.#table.hand.verdict?.sight;
    return isFree ? null : this.#targetAt(finger);
  }

  #carryTo(finger: Finger): void {
    const { hand } = this.#table;
    if (this.#holds(finger)) hand.moveTo(this.#spot(finger));
    else hand.over = false;
  }

  /** Where the button went down is the middle of the base of a lying piece; its tip follows the mouse. */
  #aimAt(base: Spot, to: Spot): void {
    const { hand } = this.#table;
    const angle = Math.atan2(to.y - base.y, to.x - base.x);
    hand.turnTo((angle * 1800) / Math.PI);
    if (hand.pose.standing || !hand.held) return;
    const half = this.#layout.lengths[hand.held.size] / 2;
    hand.moveTo({ x: base.x + half * Math.cos(angle), y: base.y + half * Math.sin(angle) });
  }

  #slide({ from, start }: { from: Finger; start: Spot }, finger: Finger): void {
    const { camera, hand } = this.#table;
    const way = camera.wayOf((finger.x - from.x) / camera.scale, (from.y - finger.y) / camera.scale);
    hand.moveTo({ x: start.x + way.x, y: start.y + way.y });
  }

  /** It only moves the piece in hand, or aims it: fingers miss, so that letting go has a button of its own. */
  #tap(finger: Finger): void {
    const { hand, onaim } = this.#table;
    const target = this.#targetAt(finger);
    if (!target || !onaim(target)) hand.moveTo(this.#spot(finger));
  }

  /** Where the piece in hand lies, it is enough to come near to a target. */
  #targetAt(finger: Finger): FieldPiece | null {
    const { hand, camera, targets } = this.#table;
    const [hit, at] = [this.#pieceAt(this.#spot(finger)), this.#inField(finger.x, finger.y)];
    const away = (piece: FieldPiece) => (hit === piece ? 0 : far(at, camera.pixelAt(piece)));
    const [nearest] = targets().sort((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= (hand.pose.standing ? 0 : NEAR) ? nearest : null;
  }

  #pinch(): Doing {
    return { kind: 'pinch', ...this.#pair(), heading: this.#table.hand.pose.heading };
  }

  #twist(doing: Extract<Doing, { kind: 'pinch' }>): void {
    const { hand, camera } = this.#table;
    const now = this.#pair();
    if (hand.held) return hand.turnTo(doing.heading - ((now.angle - doing.angle) * 1800) / Math.PI);
    const { x, y } = this.#inField(now.middle.x, now.middle.y);
    camera.pan(now.middle.x - doing.middle.x, now.middle.y - doing.middle.y);
    camera.zoomBy(now.far / doing.far, x, y);
    Object.assign(doing, now);
  }

  #pair(): { angle: number; far: number; middle: Finger } {
    const [a, b] = [...this.#fingers.values()] as [Finger, Finger];
    return {
      angle: Math.atan2(b.y - a.y, b.x - a.x),
      far: Math.max(1, far(a, b)),
      middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
    };
  }

  get #layout(): Layout {
    return this.#table.ground().layout;
  }

  #inField(x: number, y: number): Finger {
    const box = this.field!.getBoundingClientRect();
    return { x: x - box.left, y: y - box.top };
  }

  #holds({ x, y }: Finger): boolean {
    const at = this.#inField(x, y);
    const { width, height } = this.#table.camera;
    return at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height;
  }

  #spot({ x, y }: Finger): Spot {
    const at = this.#inField(x, y);
    return this.#table.camera.spotAt(at.x, at.y);
  }

  #pieceAt(spot: Spot): FieldPiece | null {
    const { pieces, footprints } = this.#table.ground();
    return pieces[footprints.findIndex((piece) => covers(piece, spot))] ?? null;
  }
}

/** Fingers on it scroll nothing; else a browser may take the first tap after a drag for the end of a scroll. */
export function unscrolled(element: HTMLElement): () => void {
  const hold = (event: TouchEvent) => event.preventDefault();
  element.addEventListener('touchmove', hold, { passive: false });
  return () => element.removeEventListener('touchmove', hold);
}

function fingerOf(event: PointerEvent): Finger {
  return { x: event.clientX, y: event.clientY };
}

function far(a: Finger, b: Finger): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function covers({ corners }: Footprint, { x, y }: Spot): boolean {
  return corners.every((q, i) => {
    const p = corners.at(i - 1)!;
    return (q.x - p.x) * (y - p.y) >= (q.y - p.y) * (x - p.x);
  });
}
