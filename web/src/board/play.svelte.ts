/** A board in use: the frame shown, the piece in hand, and the act sent to the server. */

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
  /** The source that is in hand without being picked, if there is no choice. */
  given?(legal: Legal): Source | null;
  /** Whether the acting seat can pick the piece on this space. */
  own(space: string): boolean;
  /** The notation of an act that is not legal. */
  write(source: Source, target: string): string;
  /** Explains a choice without effect: a space with nothing in hand, or a source without legal acts. */
  idle(what: Source): Idle;
  /** The scene between two frames, if any; a carried piece is already at its place. */
  plan(before: FrameOf<W>, next: FrameOf<W>, carried: boolean): S | null;
  /** Called with each frame that follows another. */
  passed?(frame: FrameOf<W>): void;
  /** The space at a point of the picture. */
  spaceAt(point: Point): string | null;
}

/** Why a choice has no effect: an act whose refusal says it, or else words, and the rule that says what to do. */
export type Idle = { act: string } | { why: string; rule: string };

/** An act sent to the server. A carried piece is already at its place and needs no flight. */
interface Sent {
  text: string;
  to: string | null;
  carried: boolean;
}

/** The piece in the hand of a player at another browser. */
interface Theirs {
  seat: number;
  source: Source;
  colour: Colour;
  name: string;
}

/** The height of a piece in hand. */
const LIFT = 26;
const LIFT_MS = 140;
const NO_ACTS: Legal = new Map();

export class Play<S extends Scene, W extends Wire = Wire> {
  readonly playback: Playback<S, FrameOf<W>>;
  readonly drag: Drag;
  /** The current height of the piece in hand. */
  readonly lift = new Tween(0);
  /** Spaces that the last refusal is about. */
  wrong = $state.raw<string[]>([]);
  sent = $state.raw<Sent | null>(null);
  /** An act that its player still has to confirm. */
  draft = $state.raw<Sent | null>(null);
  /** The element that a refusal shakes. */
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
      (frame) => game.passed?.(frame),
    );
    this.drag = new Drag({
      look: () => props().look,
      spaceAt: (point) => game.spaceAt(point),
      grab: (source) => this.#mayTake(source),
      take: (source) => this.take(source),
      drop: (source, target) => this.drop(source, target),
    });
    onDestroy(() => this.playback.stop());
    // Derived, so that other messages (an answer, a bot that thinks) reset neither the hand nor a refusal.
    const newest = $derived(props().frame);
    const turn = $derived(props().turn);
    const fault = $derived(props().fault);
    $effect(() => {
      const next = newest;
      untrack(() => this.#arrive(next));
    });
    $effect(() => {
      void turn;
      // Flights were planned for the previous rotation.
      untrack(() => this.playback.finish());
    });
    $effect(() => {
      const where = fault?.where ?? null;
      untrack(() => this.#refuse(where));
    });
    $effect(() => {
      const { before, shown } = this.playback;
      props().onsettled(this.settled, shown.seq, (before ?? shown).view);
    });
    $effect(() => {
      const what = this.taken;
      untrack(() => props().onhold?.(what));
    });
    $effect(() => {
      if (this.inHand === null) void this.lift.set(0, { duration: 0 });
      else void this.lift.set(LIFT, { duration: isStill() ? 0 : LIFT_MS / pace() });
    });
  }

  /** All legal acts of the acting seat. */
  readonly legal = $derived.by(() => {
    const { acting, legal } = this.#props();
    return acting === null ? NO_ACTS : this.#game.sort(legal);
  });
  /** The newest position is shown and nothing moves. */
  readonly settled = $derived.by(() => this.playback.shown === this.#props().frame && this.playback.scene === null);
  readonly hand = $derived.by((): Hand => {
    const legal = this.settled ? this.legal : NO_ACTS;
    return { legal, picked: this.#picked ?? this.#game.given?.(legal) ?? null };
  });
  /** The picked source, if the acting seat can act with it. */
  readonly taken = $derived(this.#picked !== null && this.legal.has(this.#picked) ? this.#picked : null);
  /** The piece in the hand of a player at another browser, while nothing moves. */
  readonly theirs = $derived.by((): Theirs | null => {
    const { held, seats } = this.#props();
    if (!held || held.what === null || !this.settled) return null;
    const { seat, what } = held;
    return { seat, source: what, colour: colourOf(seats, seat), name: nameOf(seats, seat) };
  });
  /** The piece in hand, here or elsewhere, and its seat. */
  readonly inHand = $derived.by((): { seat: number; source: Source; mine: boolean } | null => {
    const { acting } = this.#props();
    const { picked } = this.hand;
    if (picked !== null && acting !== null) return { seat: acting, source: picked, mine: true };
    return this.theirs && { seat: this.theirs.seat, source: this.theirs.source, mine: false };
  });

  readonly overlay = $derived.by(() => (this.settled ? this.#props().overlay : null));

  act(text: string, to: string | null = null, carried = false): void {
    this.sent = { text, to, carried };
    this.wrong = [];
    const asks = confirmMoves.value && this.#isLegal(text);
    this.draft = asks ? this.sent : null;
    if (asks) announcer.say('Press Enter to confirm the move, Escape to cancel it.');
    else this.#props().onact(text);
  }

  confirm(): void {
    if (this.draft) this.#props().onact(this.draft.text);
    this.draft = null;
  }

  take(source: Source | null): void {
    this.#picked = source;
    this.sent = this.draft = null;
    this.wrong = [];
  }

  /** Handles a tap on a space, or Enter. */
  choose(space: string): void {
    this.catchUp();
    if (this.sent?.to === space) return;
    const meant = tap(this.hand, space, this.#game.own(space));
    if (meant?.kind === 'act') this.act(meant.text, space);
    else if (meant?.kind === 'attempt') this.act(this.#game.write(meant.source, space), space);
    else if (meant) this.take(meant.kind === 'pick' ? meant.source : null);
    else this.explain(space);
  }

  /** Takes a piece of a supply, or puts it back. */
  chooseSource(source: Source): void {
    this.catchUp();
    if (this.hand.legal.has(source)) this.take(this.#picked === source ? null : source);
    else this.explain(source);
  }

  /** Says why a choice has no effect; null: any choice. */
  explain(what: Source | null = null): void {
    const { acting, onidle } = this.#props();
    if (acting === null || what === null) return onidle(null);
    const idle = this.#game.idle(what);
    if ('act' in idle) this.act(idle.act);
    else onidle(idle.why, idle.rule);
  }

  /** Gives the focus back to the board, from a button beside it that disappears when it is pressed. */
  focus(_: void): void {
    this.drag.picture?.querySelector<SVGGElement>('[role=gridcell][tabindex="0"]')?.focus({ preventScroll: true });
  }

  press(event: KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('dialog, [popover]')) return;
    if (event.key === 'Escape' && (this.#picked !== null || this.draft)) {
      this.take(null);
      this.drag.end();
      event.preventDefault();
    } else if (event.key === 'Enter' && this.draft && !event.repeat && !target?.closest('button, a, input')) {
      this.confirm();
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Shows the newest position, to which any choice refers. */
  catchUp(): void {
    if (!this.settled) this.playback.finish();
  }

  #mayTake(source: Source): boolean {
    this.catchUp();
    return this.hand.legal.has(source);
  }

  /** Handles a dragged piece that is dropped on a space, or beside all spaces. */
  drop(source: Source, target: string | null): void {
    if (target === null || target === source) return this.take(null);
    const text = this.hand.legal.get(source)?.get(target);
    this.act(text ?? this.#game.write(source, target), target, text !== undefined);
  }

  /** Illegal acts are sent without confirmation: the server says what is wrong. */
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
