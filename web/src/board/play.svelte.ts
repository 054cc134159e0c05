/** A board in use: the frame on show, what is in hand, and acts on their way to the server. */

import { onDestroy, untrack } from 'svelte';
import { Tween } from 'svelte/motion';
import { announcer } from '../app/announcer.svelte';
import { isStill, pace } from '../app/motion.svelte';
import { confirmMoves } from '../app/prefs.svelte';
import type { Point } from '../pieces/projection';
import type { Colour } from '../pieces/colours';
import type { BoardProps, FrameOf, Wire } from './game-view';
import { colourOf, nameOf } from './words';
import { Drag } from './drag.svelte';
import { tap, type Hand, type Legal, type Source } from './hand';
import { Playback, type Scene } from './playback.svelte';
import { shake } from './shake';

/** What the board needs to know about a game's acts. */
export interface Game<S extends Scene, W extends Wire> {
  sort(acts: string[]): Legal;
  /** What is in hand without being picked, since there is no choice. */
  given?(legal: Legal): Source | null;
  /** Whether the acting seat can pick what stands on this space. */
  own(space: string): boolean;
  /** The notation of an act that is not legal. */
  write(source: Source, target: string): string;
  /** Of a space with nothing in hand, or of a source that no legal act starts from. */
  idle(what: Source): Idle;
  /** What there is to watch between two frames; a piece that was carried to its place already lies there. */
  plan(before: FrameOf<W>, next: FrameOf<W>, carried: boolean): S | null;
  /** The space at a point of the picture. */
  spaceAt(point: Point): string | null;
}

/** Why nothing can be done: what the server says to an act, or words where no rule is against it. */
export type Idle = { act: string } | { why: string };

/** An act on its way to the server. A carried piece already lies where it was put, and needs no flight. */
interface Sent {
  text: string;
  to: string | null;
  carried: boolean;
}

/** What a player at another browser has in hand. */
interface Theirs {
  seat: number;
  source: Source;
  colour: Colour;
  name: string;
}

/** How high a piece in hand is held. */
const LIFT = 26;
const LIFT_MILLISECONDS = 140;
const NOTHING: Legal = new Map();

export class Play<S extends Scene, W extends Wire = Wire> {
  readonly playback: Playback<S, FrameOf<W>>;
  readonly drag: Drag;
  /** How high the piece in hand is at this moment. */
  readonly lift = new Tween(0);
  /** Spaces that the last refusal is about. */
  wrong = $state.raw<string[]>([]);
  sent = $state.raw<Sent | null>(null);
  /** An act that waits until its player confirms it. */
  asked = $state.raw<Sent | null>(null);
  /** What a refusal shakes. */
  art: SVGGElement | undefined = $state();

  #picked = $state<Source | null>(null);
  #props: () => BoardProps<W>;
  #game: Game<S, W>;
  #carried = false;

  /** To be called while the board's component is created: it makes effects. */
  constructor(props: () => BoardProps<W>, game: Game<S, W>) {
    this.#props = props;
    this.#game = game;
    this.playback = new Playback(
      untrack(() => props().frame),
      (before, next) => (isStill() || !next.line ? null : game.plan(before, next, this.#carried)),
      (line, effects) => props().onseen?.(line, effects),
    );
    this.drag = new Drag({
      look: () => props().look,
      spaceAt: (point) => game.spaceAt(point),
      grab: (source) => this.#mayTake(source),
      take: (source) => this.take(source),
      drop: (source, target) => this.drop(source, target),
    });
    onDestroy(() => this.playback.stop());
    // Derived, so that other messages (an answer, a bot that thinks) change neither the hand nor a refusal.
    const newest = $derived(props().frame);
    const turn = $derived(props().turn);
    const fault = $derived(props().fault);
    $effect(() => {
      const next = newest;
      untrack(() => this.#arrive(next));
    });
    $effect(() => {
      void turn;
      // What moves was planned for the board as it lay.
      untrack(() => this.playback.finish());
    });
    $effect(() => {
      const where = fault?.where ?? null;
      untrack(() => this.#refuse(where));
    });
    $effect(() => props().onsettled(this.settled));
    $effect(() => {
      const what = this.taken;
      untrack(() => props().onhold?.(what));
    });
    $effect(() => {
      if (this.inHand === null) void this.lift.set(0, { duration: 0 });
      else void this.lift.set(LIFT, { duration: isStill() ? 0 : LIFT_MILLISECONDS / pace() });
    });
  }

  /** All legal acts of the acting seat. */
  readonly legal = $derived.by(() => {
    const { acting, legal } = this.#props();
    return acting === null ? NOTHING : this.#game.sort(legal);
  });
  /** The newest position is on show and nothing moves. */
  readonly settled = $derived.by(() => this.playback.shown === this.#props().frame && this.playback.scene === null);
  readonly hand = $derived.by((): Hand => {
    const legal = this.settled ? this.legal : NOTHING;
    return { legal, picked: this.#picked ?? this.#game.given?.(legal) ?? null };
  });
  /** What the acting seat has picked and can act with. */
  readonly taken = $derived(this.#picked !== null && this.legal.has(this.#picked) ? this.#picked : null);
  /** What a player at another browser has in hand, while nothing moves. */
  readonly theirs = $derived.by((): Theirs | null => {
    const { held, seats } = this.#props();
    if (!held || held.what === null || !this.settled) return null;
    const { seat, what } = held;
    return { seat, source: what, colour: colourOf(seats, seat), name: nameOf(seats, seat) };
  });
  /** What is in hand, here or elsewhere, and its seat. */
  readonly inHand = $derived.by((): { seat: number; source: Source; mine: boolean } | null => {
    const { acting } = this.#props();
    const { picked } = this.hand;
    if (picked !== null && acting !== null) return { seat: acting, source: picked, mine: true };
    return this.theirs && { seat: this.theirs.seat, source: this.theirs.source, mine: false };
  });

  /** What lies over the pieces. */
  readonly overlay = $derived.by(() => (this.settled ? this.#props().overlay : null));

  act(text: string, to: string | null = null, carried = false): void {
    this.sent = { text, to, carried };
    this.wrong = [];
    const asks = confirmMoves.value && this.#isLegal(text);
    this.asked = asks ? this.sent : null;
    if (asks) announcer.say('Press Enter to confirm the move, Escape to cancel it.');
    else this.#props().onact(text);
  }

  confirm(): void {
    if (this.asked) this.#props().onact(this.asked.text);
    this.asked = null;
  }

  take(source: Source | null): void {
    this.#picked = source;
    this.sent = this.asked = null;
    this.wrong = [];
  }

  /** A space is tapped, or Enter pressed on it. */
  choose(space: string): void {
    this.catchUp();
    if (this.sent?.to === space) return;
    const meant = tap(this.hand, space, this.#game.own(space));
    if (meant?.kind === 'act') this.act(meant.text, space);
    else if (meant?.kind === 'attempt') this.act(this.#game.write(meant.source, space), space);
    else if (meant) this.take(meant.kind === 'pick' ? meant.source : null);
    else this.explain(space);
  }

  /** A piece of a supply is tapped: taken or put back. */
  chooseSource(source: Source): void {
    this.catchUp();
    if (this.hand.legal.has(source)) this.take(this.#picked === source ? null : source);
    else this.explain(source);
  }

  /** Says why nothing can be done: with this, or with anything. */
  explain(what: Source | null = null): void {
    const { acting, onidle } = this.#props();
    if (acting === null || what === null) return onidle(null);
    const idle = this.#game.idle(what);
    if ('act' in idle) this.act(idle.act);
    else onidle(idle.why);
  }

  /** Keys are for the board: a button beside it that is gone after its press can't keep them. */
  focus(_: void): void {
    this.drag.picture?.querySelector<SVGGElement>('[role=gridcell][tabindex="0"]')?.focus({ preventScroll: true });
  }

  press(event: KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('dialog, [popover]')) return;
    if (event.key === 'Escape' && (this.#picked !== null || this.asked)) {
      this.take(null);
      this.drag.end();
      event.preventDefault();
    } else if (event.key === 'Enter' && this.asked && !event.repeat && !target?.closest('button, a, input')) {
      this.confirm();
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** What is done means the newest position. */
  catchUp(): void {
    if (!this.settled) this.playback.finish();
  }

  #mayTake(source: Source): boolean {
    this.catchUp();
    return this.hand.legal.has(source);
  }

  /** A dragged piece is let go over a space, or over none. */
  drop(source: Source, target: string | null): void {
    if (target === null || target === source) return this.take(null);
    const text = this.hand.legal.get(source)?.get(target);
    this.act(text ?? this.#game.write(source, target), target, text !== undefined);
  }

  /** Other acts are sent at once: the server says what is wrong with them. */
  #isLegal(text: string): boolean {
    const { legal } = this.#props();
    return legal.includes(text) || [...this.legal.values()].some((ways) => [...ways.values()].includes(text));
  }

  #arrive(next: FrameOf<W>): void {
    const { sent } = this;
    const following = next.seq === this.playback.shown.seq + 1;
    this.#carried = following && sent !== null && sent.carried && sent.text === next.line?.text;
    this.playback.follow(next);
    this.#carried = false;
    this.take(null);
    this.drag.end();
  }

  #refuse(where: string[] | null): void {
    this.wrong = where ?? [];
    if (where === null) return;
    this.sent = null;
    shake(this.art);
  }
}
