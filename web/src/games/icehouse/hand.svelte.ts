/** A person's hand over the field: what it holds, where that would go, and acts on their way to the server. */

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
  /** The seat that this hand belongs to; null: somebody who watches. */
  seat: () => number | null;
  /** The place on the field that its owner looks at: that of the last piece, if that is in the picture. */
  looksAt: () => Spot;
  /** How far a piece is shifted to fit, in thousandths of an inch. */
  reach: () => number;
  shake: () => void;
  /** Does it now, or when play goes on. */
  after: (what: () => void) => void;
}

export class Hand {
  pose: Pose = $state.raw({ x: 0, y: 0, heading: 900, standing: true });
  /** Over the field, where the ghost is seen. */
  over = $state(false);
  #table: Table;

  /** To be made while a board is set up. */
  constructor(table: Table) {
    this.#table = table;
    const { width, height } = untrack(() => table.ground().layout);
    this.pose = { ...this.pose, x: Math.round(width / 2), y: Math.round(height / 2) };
    const fault = $derived(table.props().fault);
    $effect(() => {
      if (fault) untrack(() => table.shake());
    });
  }

  /** The acts that the server lists for this seat. */
  readonly legal = $derived.by((): string[] => {
    const seat = this.#table.seat();
    return seat === null ? [] : (this.#table.props().frame.legal[seat] ?? []);
  });
  readonly may = $derived.by(() => this.legal.length > 0);
  /** What this hand's acts on their way will most likely make of the position. */
  readonly expected = $derived.by((): Expected | null => {
    const seat = this.#table.seat();
    const { layout, frame, sent = [] } = this.#table.props();
    return seat === null || !this.may ? null : expect(frame.view, layout, seat, sent);
  });
  readonly name = $derived.by((): string | null => this.expected?.held ?? null);
  readonly landing = $derived.by((): Landing[] => this.expected?.landing ?? []);
  /** The field with the pieces that are landing. */
  readonly ground = $derived.by((): Ground => {
    const ground = this.#table.ground();
    return this.landing.length === 0
      ? ground
      : new Ground(ground.layout, [...ground.pieces, ...this.landing.map(landed)]);
  });
  readonly held = $derived.by((): Kind | null => (this.name === null ? null : readKind(this.name)));
  /** Where the piece would go: beside what it hardly overlaps. */
  readonly spot = $derived.by((): Pose => {
    const { held, over, pose } = this;
    return held && over ? this.ground.settle(held, pose, this.#table.reach()) : pose;
  });
  readonly verdict = $derived.by((): Verdict | null => {
    return this.held && this.over ? this.ground.judge(this.held, this.spot) : null;
  });

  /** Takes a piece from the pad; one that is in hand goes back first. Before the start it means to be ready. */
  lift(kind: Kind): void {
    if (this.legal.includes(READY)) return this.act(READY);
    this.#table.after(() => this.#take(kind));
  }

  #take(kind: Kind): void {
    const name = kindName(kind);
    if (!this.may || this.name === name) return;
    if (this.name !== null) this.#move(RETURN);
    this.#move(liftText(kind, this.#table.ground().layout.colours[this.#table.seat()!]!));
  }

  putBack(): void {
    if (this.name !== null) this.#move(RETURN);
    this.over = false;
  }

  /** Lets go; what comes of it the server says. */
  place(): void {
    if (this.held) this.#move(placeText(this.spot));
  }

  /** What needs no hand is sent at once and depends on nothing. */
  act(text: string): void {
    const { sent = [], onact } = this.#table.props();
    if (!sent.some((one) => one.text === text)) onact(text, this.#table.seat() ?? undefined);
  }

  moveTo({ x, y }: Spot): void {
    this.pose = { ...this.pose, x: Math.round(x), y: Math.round(y) };
    this.over = true;
  }

  /** Shows the piece on a free place near where its owner looks: it does not begin on the one before. */
  show(): void {
    if (this.held) this.take(freePlace(this.ground, this.held, { ...this.pose, ...this.#table.looksAt() }));
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

  /** An act of the hand counts only if the one before it does. */
  #move(text: string): void {
    const seat = this.#table.seat();
    const { sent = [], onact } = this.#table.props();
    if (seat !== null) onact(text, seat, basis(seat, sent));
  }
}
