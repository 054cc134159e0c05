/** A player's hand over the field: its piece, the verdict on that, and its unanswered acts. */

import { untrack } from 'svelte';
import { type Kind, kindName, liftText, placeText, type Pose, readKind, READY, RETURN } from './acts';
import type { Wire } from './wire';
import type { BoardProps } from '../../board/game-view';
import { HEADINGS, type Spot } from './geometry';
import { Ground, type Verdict } from './placing';
import { freePlace } from './proposals';
import { basis, expect, type Expected, landed, type Landing } from './under-way';

interface Table {
  props: () => Pick<BoardProps<Wire>, 'layout' | 'frame' | 'sent' | 'onact' | 'fault'>;
  ground: () => Ground;
  /** The seat of this hand; null: a spectator's. */
  seat: () => number | null;
  /** The spot near which a new piece appears. */
  anchor: () => Spot;
  /** The maximum shift of a piece to make it fit, in thousandths of an inch. */
  reach: () => number;
  shake: () => void;
  /** Acts now, or when play continues after a call. */
  after: (act: () => void) => void;
}

export class Hand {
  pose: Pose = $state.raw({ x: 0, y: 0, heading: 900, standing: true });
  /** Whether the piece is over the field, where its ghost is shown. */
  over = $state(false);
  #table: Table;

  /** To be called while a board is created: it makes an effect. */
  constructor(table: Table) {
    this.#table = table;
    const { width, height } = untrack(() => table.ground().layout);
    this.pose = { ...this.pose, x: Math.round(width / 2), y: Math.round(height / 2) };
    const fault = $derived(table.props().fault);
    $effect(() => {
      if (fault) untrack(() => table.shake());
    });
  }

  readonly legal = $derived.by((): string[] => {
    const seat = this.#table.seat();
    return seat === null ? [] : (this.#table.props().frame.legal[seat] ?? []);
  });
  readonly may = $derived.by(() => this.legal.length > 0);
  /** The position that the hand's unanswered acts will most likely lead to. */
  readonly expected = $derived.by((): Expected | null => {
    const seat = this.#table.seat();
    const { layout, frame, sent = [] } = this.#table.props();
    return seat === null || !this.may ? null : expect(frame.view, layout, seat, sent);
  });
  readonly name = $derived.by((): string | null => this.expected?.held ?? null);
  readonly landing = $derived.by((): Landing[] => this.expected?.landing ?? []);
  /** A placement or a capture is not answered yet. */
  readonly isPending = $derived.by(() => this.landing.length > 0 || (this.expected?.prey ?? []).length > 0);
  /** The field with the pieces that are landing. */
  readonly ground = $derived.by((): Ground => {
    const ground = this.#table.ground();
    return this.landing.length === 0
      ? ground
      : new Ground(ground.layout, [...ground.pieces, ...this.landing.map(landed)]);
  });
  readonly held = $derived.by((): Kind | null => (this.name === null ? null : readKind(this.name)));
  /** The pose at which the piece would be placed, shifted if it overlaps another piece slightly. */
  readonly spot = $derived.by((): Pose => {
    const { held, over, pose } = this;
    return held && over ? this.ground.settle(held, pose, this.#table.reach()) : pose;
  });
  readonly verdict = $derived.by((): Verdict | null => {
    return this.held && this.over ? this.ground.judge(this.held, this.spot) : null;
  });

  /** Takes a piece from the pad; a piece in hand goes back first. Before play, declares the player ready. */
  lift(kind: Kind): void {
    if (this.legal.includes(READY)) return void this.act(READY);
    this.#table.after(() => this.#take(kind));
  }

  #take(kind: Kind): void {
    const name = kindName(kind);
    if (!this.may || this.name === name) return;
    if (this.name !== null) this.#move(RETURN);
    this.pose = { ...this.pose, standing: true }; // after an attack too: it lies down by itself when it aims
    this.#move(liftText(kind, this.#table.ground().layout.colours[this.#table.seat()!]!));
  }

  putBack(): void {
    if (this.name !== null) this.#move(RETURN);
    this.over = false;
  }

  place(): void {
    if (this.held) this.#move(placeText(this.spot));
  }

  /** Sends an act that needs no hand and depends on no other act; returns false if it is on its way already. */
  act(text: string): boolean {
    const { sent = [], onact } = this.#table.props();
    if (sent.some((act) => act.text === text)) return false;
    onact(text, this.#table.seat() ?? undefined);
    return true;
  }

  moveTo({ x, y }: Spot): void {
    this.pose = { ...this.pose, x: Math.round(x), y: Math.round(y) };
    this.over = true;
  }

  /** Shows the piece at a free place near the anchor, not on top of the last one. */
  show(): void {
    if (this.held) this.take(freePlace(this.ground, this.held, { ...this.pose, ...this.#table.anchor() }));
  }

  take(pose: Pose): void {
    this.pose = pose;
    this.over = true;
  }

  /** Counter-clockwise, in tenths of a degree. */
  turn(tenths: number): void {
    this.turnTo(this.pose.heading + tenths);
  }

  turnTo(tenths: number): void {
    const heading = ((Math.round(tenths) % HEADINGS) + HEADINGS) % HEADINGS;
    this.pose = { ...this.pose, heading };
  }

  tip(): void {
    this.pose = { ...this.pose, standing: !this.pose.standing };
  }

  /** Sends an act of the hand, which counts only if the previous one does. */
  #move(text: string): void {
    const seat = this.#table.seat();
    const { sent = [], onact } = this.#table.props();
    if (seat !== null) onact(text, seat, basis(seat, sent));
  }
}
