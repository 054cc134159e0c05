/** A board in use with acts of any form: spaces and pieces of a pad are chosen until one legal act is left. */

import { announcer } from '../../app/announcer.svelte';
import { counted } from '../../app/words';
import type { BoardProps } from '../../board/game-view';
import { movesBySource, type Legal, type Source } from '../../board/hand';
import { Play, type Game, type Idle } from '../../board/play.svelte';
import type { Look } from '../../pieces/projection';
import type { Seat } from '../../wire';
import {
  choices,
  clockwise,
  labels,
  narrow,
  next,
  orders,
  reader,
  replaced,
  SECRET,
  tap,
  headingWords,
  wordsOf,
  type Act,
} from './acts';
import { gateOf } from './board';
import { kindNames } from './game';
import { kindOf, ownerOf, stackOf } from './pieces';
import type { TableScene } from './scene';
import { pieceNoun } from './step';
import { isApart } from './words';
import type { Pile } from './pieces';
import type { Layout, Space, Wire } from './wire';

/** Farther than any space. */
const FAR = 1000;

interface Board extends Pick<Game<TableScene, Wire>, 'plan' | 'passed' | 'spaceAt'> {
  /** The colour that the player has named for a kind of piece, if any. */
  named: (kind: string) => string | null;
  /** The kind of piece that the acting seat placed last. */
  last: () => string | null;
  /** The angle of each direction on the rotated board. */
  headings: () => Record<string, number>;
  /** What the player does next, in words. */
  step: () => string;
}

/** The props of what shows the pad of a seat. */
export interface PadProps {
  layout: Layout;
  pad: Pile[];
  /** Null: nobody's. */
  seat: number | null;
  seats: Seat[];
  look: Look;
  play: Taps;
  /** Whether pieces can be taken from here now. */
  usable: boolean;
  /** Nothing else can be chosen, and the player may be new here. */
  calling: boolean;
}

export class Taps extends Play<TableScene, Wire> {
  /** The spaces chosen so far. */
  tapped = $state.raw<string[]>([]);
  /** The word of the piece taken from a pad, which others do not see if the choice is secret. */
  #taken = $state<string | null>(null);
  #props: () => BoardProps<Wire>;
  #headings: () => Record<string, number>;

  constructor(props: () => BoardProps<Wire>, board: Board) {
    super(props, {
      ...board,
      sort: (acts) => movements(acts.map(readerOf(props())), (text) => coloured(text, board.named)),
      given: (legal) => {
        if (legal.size === 0) return null;
        return props().layout.repeats ? repeated(legal, board.last()) : only(props());
      },
      own: () => false,
      write: () => '',
      idle: (what) => idle(props(), what, board.step()),
    });
    this.#props = props;
    this.#headings = board.headings;
    this.named = board.named;
  }

  readonly named: Board['named'];

  readonly #read = $derived.by(() => readerOf(this.#props()));
  readonly #all = $derived.by((): Act[] => {
    const { acting, legal } = this.#props();
    return acting === null || !this.settled ? [] : legal.map(this.#read);
  });
  /** The words of acts besides their spaces, such as the size of a piece to place. */
  readonly words = $derived.by(() => wordsOf(this.#all));
  /** The word of the piece of a pad that is in hand. */
  readonly word = $derived.by(() => {
    const { picked } = this.hand;
    return this.#taken ?? (picked !== null && this.words.has(picked) ? picked : null);
  });
  /** Whether the player has chosen something, rather than nothing or a piece that is in hand by itself. */
  readonly chosen = $derived.by(() => this.#taken !== null || this.taken !== null || this.tapped.length > 0);
  /** The legal acts while nothing moves: those with the chosen word, if any; a piece of a supply has to be chosen. */
  readonly acts = $derived.by(() => {
    const { word } = this;
    const { beside, kinds } = this.#props().layout;
    if (word !== null) return this.#all.filter((act) => wordsOf([act]).has(word));
    return this.#all.filter(({ text }) => beside !== 'supplies' || !(text.split('@')[0]! in kinds));
  });
  readonly next = $derived.by(() => next(this.acts, this.tapped));
  /** Those of them that only acts of the second kind lead to. */
  readonly apart = $derived.by(() => {
    const { layout } = this.#props();
    const usual = next(
      this.acts.filter(({ text }) => !isApart(layout, text)),
      this.tapped,
    );
    return new Set([...this.next].filter((name) => layout.apart && !usual.has(name)));
  });
  /** The acts that have buttons, with labels. */
  readonly buttons = $derived.by(() => {
    const { layout, frame } = this.#props();
    const acts = choices(this.acts, this.tapped);
    const words = labels(acts, kindNames(layout));
    const own = new Map(frame.view.labels);
    const order = [...own.keys()];
    const named = ({ text }: Act): string => (own.has(text) ? text : text.replace(SECRET, ''));
    const buttons = acts.map((act, i) => ({
      ...act,
      label: own.get(named(act)) ?? layout.acts?.[act.text]?.label ?? words[i]!,
    }));
    if (own.size === 0) return clockwise(buttons, this.#headings());
    const rank = (act: Act): number => (own.has(named(act)) ? order.indexOf(named(act)) : own.size);
    return buttons.toSorted((a, b) => rank(a) - rank(b));
  });

  /** The word for a piece of a pad in the legal acts. */
  wordOf({ kind, colour }: Pile): string | undefined {
    const { key } = kindOf(kind, this.#props().layout.kinds);
    return [`${colour}${kind}`, kind, key].find((word) => this.words.has(word));
  }

  override take(source: Source | null): void {
    this.#props().onchoice?.();
    const isSpace = this.#props().layout.spaces.some(({ name }) => name === source);
    this.tapped = isSpace ? [source!] : [];
    this.#taken = isSpace ? null : source;
    super.take(source !== null && this.legal.has(source) ? source : null);
  }

  /** Acts with the colour that the player has named. */
  override act(text: string, to: string | null = null, carried = false): void {
    super.act(coloured(text, this.named), to, carried);
  }

  /** Takes a piece of a pad, or puts it back. */
  override chooseSource(word: Source): void {
    this.catchUp();
    if (this.words.has(word)) this.take(this.#taken === word ? null : word);
    else this.explain(word);
  }

  override choose(space: string): void {
    this.catchUp();
    if (this.sent?.to === space) return;
    // While a piece of a pad is in hand, another one on the board may be taken instead.
    if (this.word !== null && this.legal.has(space) && !this.next.has(space)) this.take(space);
    else this.#interpret(space, false);
  }

  override drop(source: Source, target: string | null): void {
    if (target === null || target === source) this.take(null);
    else this.#interpret(target, true);
  }

  override press(event: KeyboardEvent): void {
    super.press(event);
    const isFree = this.tapped.length === 0 && this.#taken === null;
    if (event.key !== 'Escape' || event.defaultPrevented || isFree) return;
    this.take(null);
    event.preventDefault();
  }

  /** Presses the nth button, counted from 1. */
  pressNumber(number: number): boolean {
    const button = this.buttons[number - 1];
    if (button) this.push(button);
    return button !== undefined;
  }

  /** Presses the button with a key; if its act is not legal, the server says why. */
  pressKey(key: string): boolean {
    const { acting, layout } = this.#props();
    const found = Object.entries(layout.acts ?? {}).find(([, act]) => act.key === key);
    if (!found) return false;
    this.catchUp();
    if (acting === null) this.explain();
    else this.focus(this.act(found[0]));
    return true;
  }

  /** Presses a button. */
  push({ text }: Act): void {
    if (this.sent?.text !== text) this.act(text);
  }

  #interpret(space: string, carried: boolean): void {
    const result = tap(this.acts, this.tapped, space);
    if (!result) this.explain(space);
    else if ('act' in result) this.act(result.act, space, carried && this.acts.some(({ text }) => text === result.act));
    else this.#setTapped(result.tapped);
  }

  #setTapped(tapped: string[]): void {
    this.#props().onchoice?.();
    // Others see the piece in hand, so it must not show a secret choice.
    const source = this.word ?? tapped[0] ?? null;
    const open = narrow(this.acts, tapped).some(({ text }) => !text.startsWith(SECRET));
    super.take(source !== null && open && this.legal.has(source) ? source : null);
    this.tapped = tapped;
    if (tapped.length > 0) announcer.say(this.#leftWords());
  }

  #leftWords(): string {
    const { next, buttons } = this;
    const { headings } = this.#props().layout;
    const read = (label: string): string =>
      label
        .split(' ')
        .map((word) => (word in headings ? headingWords(word) : word))
        .join(' ');
    const named = buttons.slice(0, 9).map(({ label }, i) => `${i + 1}: ${read(label)}.`);
    const spaces = next.size > 0 ? [`${counted(next.size, 'space')} to continue with.`] : [];
    return [`Chosen: ${this.tapped.join(', ')}.`, ...spaces, ...named].join(' ');
  }
}

function readerOf({ layout }: BoardProps<Wire>): (text: string) => Act {
  return reader(layout.spaces.map(({ name }) => name));
}

/** What can be dragged, pieces on spaces and of pads, and their destinations. */
function movements(acts: Act[], written: (text: string) => string): Legal {
  const moves = acts.flatMap((act) => {
    const { spaces } = act;
    const text = written(act.text);
    const [source, target] = spaces;
    if (source === undefined || text.startsWith(SECRET)) return [];
    const placed = [...wordsOf([act])].filter(Boolean).map((word) => ({ source: word, target: source, text }));
    if (target === undefined) return placed;
    const back = orders(act).length > 1 ? [{ source: target, target: source, text }] : [];
    return [...placed, ...back, { source, target, text }];
  });
  return movesBySource(moves);
}

/** "L:blue@b2": an act that places a piece, with the colour named for its kind; without one, the rules choose it. */
export function coloured(text: string, named: (kind: string) => string | null): string {
  const [, kind, at] = /^(\w+)(@.*)$/.exec(text) ?? [];
  const colour = kind === undefined ? null : named(kind);
  return colour === null ? text : `${kind}:${colour}${at}`;
}

/** The only kind that is left, or the one that a seat placed last. */
function repeated(legal: Legal, last: string | null): string | null {
  const [only, ...others] = legal.keys();
  if (only !== undefined && others.length === 0) return only;
  return last !== null && legal.has(last) ? last : null;
}

/** The kind of piece that every legal act on a space places, which need not be chosen; from a supply, it has no slot. */
function only(props: BoardProps<Wire>): string | null {
  const { beside, kinds } = props.layout;
  const acts = props.legal.map(readerOf(props)).filter(({ spaces }) => spaces.length > 0);
  const [kind = '', ...others] = new Set(acts.map(({ text }) => /^(\w+)@/.exec(text)?.[1] ?? ''));
  return kind === '' || others.length > 0 || (beside === 'supplies' && kinds[kind]?.size) ? null : kind;
}

/** A space for an act that the server judges: the one nearest to where the act begins or, if that is open, a free one. */
function targetOf({ layout: { spaces }, frame }: BoardProps<Wire>, start: string | undefined): string {
  const from = spaces.find(({ name }) => name === start);
  const isFree = ({ name }: Space) => !(name in frame.view.stacks);
  if (!from) return (spaces.find(isFree) ?? spaces[0]!).name;
  const distance = ({ x, y, zone }: Space) => Math.hypot(x - from.x, y - from.y) + (zone === null ? 0 : FAR);
  const others = spaces.filter((space) => space !== from).sort((a, b) => distance(a) - distance(b));
  return (others[0] ?? from).name;
}

/** The server says why a piece can't be placed anywhere, or why none moves from a space. */
function idle(props: BoardProps<Wire>, what: Source, step: string): Idle {
  const { layout, acting, legal } = props;
  const { kinds, beside } = layout;
  const placed = what in kinds;
  const gate = gateOf(layout, acting!);
  const target = targetOf(props, placed ? gate : what);
  if (placed) return { act: `${what}@${target}` };
  const moves = legal.map(readerOf(props)).filter((act) => act.spaces.length === 2 && orders(act).length === 1);
  // If there are two kinds of acts, the usual kind moves the player's own pieces.
  const top = stackOf(props.frame.view, what, kinds).at(-1);
  const others = top !== undefined && ownerOf(top, kinds) !== acting;
  const move = moves.find(({ text }) => isApart(layout, text) === others) ?? moves[0];
  if (layout.explains && move) return { act: replaced(move, [what, target]) };
  const { rule } = layout;
  const placing = legal.map((text) => text.split('@')[0]!).filter((kind) => kind in kinds);
  if (beside !== 'supplies' || placing.length === 0) return { why: `Nothing begins with ${what}. ${step}`, rule };
  const enters = gate === undefined ? '' : ` It comes in at ${gate}.`;
  const pieces = stackOf(props.frame.view, what, kinds);
  if (pieces.some((piece) => ownerOf(piece, kinds) === acting)) {
    const [instead = ''] = step.split(/(?<=[.]) /); // what the step says about covered pieces has just been said
    return { why: `Your ${pieceNoun(layout, placing)} on ${what} is covered, so it can’t move now. ${instead}`, rule };
  }
  return { why: `Take a ${pieceNoun(layout, placing)} from your supply first.${enters}`, rule };
}
