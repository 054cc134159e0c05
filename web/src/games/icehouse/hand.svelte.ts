/** A person's hand over the field: what it holds, where that would go, and acts on their way to the server. */

import { untrack } from 'svelte';
import { type Kind, kindName, placeText, type Pose, readKind, READY, RETURN } from './acts';
import type { View, Wire } from './wire';
import type { BoardProps } from '../../board/game-view';
import { HEADINGS, type Spot } from './geometry';
import type { Ground, Verdict } from './placing';
import { freePlace } from './proposals';

/** What the server has not answered yet, as it will most likely turn out. */
interface Hoped {
  text: string;
  held: string | null;
  /** The piece that was let go, and where. */
  landing: { kind: Kind; pose: Pose } | null;
}

interface Table {
  props: () => BoardProps<Wire>;
  view: () => View;
  ground: () => Ground;
  /** The seat that this hand belongs to; null: somebody who watches. */
  seat: () => number | null;
  /** The place on the field that its owner looks at: that of the last piece, if that is in the picture. */
  looksAt: () => Spot;
  /** How far a piece is shifted to fit, in thousandths of an inch. */
  reach: () => number;
  shake: () => void;
}

export class Hand {
  pose: Pose = $state.raw({ x: 0, y: 0, heading: 900, standing: true });
  /** Over the field, where the ghost is seen. */
  over = $state(false);
  #hoped = $state.raw<Hoped | null>(null);
  /** Acts that wait for the answer to the one before. */
  #waiting = $state.raw<string[]>([]);
  #table: Table;

  /** To be made while a board is set up. */
  constructor(table: Table) {
    this.#table = table;
    const { width, height } = untrack(() => table.ground().layout);
    this.pose = { ...this.pose, x: Math.round(width / 2), y: Math.round(height / 2) };
    const line = $derived(table.props().frame.line);
    const fault = $derived(table.props().fault);
    const free = $derived(table.props().acting !== null);
    $effect(() => {
      if (line && line.seat === table.seat() && line.text === untrack(() => this.#hoped?.text)) this.#hoped = null;
    });
    $effect(() => {
      if (fault) untrack(() => this.#refused());
    });
    $effect(() => {
      if (free) untrack(() => this.#sendOn());
    });
  }

  /** The acts that the server lists for this seat. */
  readonly legal = $derived.by((): string[] => {
    const seat = this.#table.seat();
    return seat === null ? [] : (this.#table.props().frame.legal[seat] ?? []);
  });
  readonly may = $derived.by(() => this.legal.length > 0);
  readonly name = $derived.by((): string | null => {
    const seat = this.#table.seat();
    if (seat === null || !this.may) return null;
    return this.#hoped ? this.#hoped.held : (this.#table.view().hands[seat] ?? null);
  });
  readonly held = $derived.by((): Kind | null => (this.name === null ? null : readKind(this.name)));
  /** A piece that was let go and is not confirmed yet. */
  readonly landing = $derived.by(() => this.#hoped?.landing ?? null);
  /** Where the piece would go: beside what it hardly overlaps. */
  readonly spot = $derived.by((): Pose => {
    const { held, over, pose } = this;
    return held && over ? this.#table.ground().settle(held, pose, this.#table.reach()) : pose;
  });
  readonly verdict = $derived.by((): Verdict | null => {
    return this.held && this.over ? this.#table.ground().judge(this.held, this.spot) : null;
  });

  /** Takes a piece from the pad; one that is in hand goes back first. Before the start it means to be ready. */
  lift(kind: Kind): void {
    if (this.legal.includes(READY)) return this.act(READY);
    const name = kindName(kind);
    if (!this.may || this.name === name) return;
    if (this.name !== null) this.#hope({ text: RETURN, held: null, landing: null });
    const seat = this.#table.seat()!;
    const own = this.#table.ground().layout.colours[seat] === kind.colour;
    this.#hope({ text: `lift ${own ? kind.size : name}`, held: name, landing: null });
  }

  putBack(): void {
    if (this.name !== null) this.#hope({ text: RETURN, held: null, landing: null });
    this.over = false;
  }

  /** Lets go; what comes of it the server says. */
  place(): void {
    const { held, spot } = this;
    if (!held) return;
    this.#hope({ text: placeText(spot), held: null, landing: { kind: held, pose: spot } });
  }

  act(text: string): void {
    this.#send(text);
  }

  moveTo({ x, y }: Spot): void {
    this.pose = { ...this.pose, x: Math.round(x), y: Math.round(y) };
    this.over = true;
  }

  /** Shows the piece on a free place near where its owner looks: it does not begin on the one before. */
  show(): void {
    if (this.held) this.take(freePlace(this.#table.ground(), this.held, { ...this.pose, ...this.#table.looksAt() }));
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

  #hope(hoped: Hoped): void {
    this.#hoped = hoped;
    this.#send(hoped.text);
  }

  #send(text: string): void {
    this.#waiting = [...this.#waiting, text];
    this.#sendOn();
  }

  #sendOn(): void {
    const [text, ...others] = this.#waiting;
    const { acting, onact } = this.#table.props();
    if (text === undefined || acting === null) return;
    this.#waiting = others;
    onact(text, this.#table.seat() ?? undefined);
  }

  #refused(): void {
    this.#hoped = null;
    this.#waiting = [];
    this.#table.shake();
  }
}
