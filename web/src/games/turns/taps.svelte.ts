/** A board in use with acts of any form: spaces are tapped until one legal act is left. */

import { announcer } from '../../app/announcer.svelte';
import { counted } from '../../app/words';
import { sortWays, type Legal, type Source } from '../../board/hand';
import { Play, type Game } from '../../board/play.svelte';
import type { BoardProps } from '../../board/game-view';
import { choices, clockwise, labels, narrow, next, reader, SECRET, tap, headingWords, wordsOf, type Act } from './acts';
import type { TableScene } from './scene';
import type { Wire } from './wire';

interface Board extends Pick<Game<TableScene, Wire>, 'plan' | 'spaceAt'> {
  /** The angle of each direction on the rotated board. */
  headings: () => Record<string, number>;
}

export class Taps extends Play<TableScene, Wire> {
  /** The spaces tapped so far. */
  tapped = $state.raw<string[]>([]);
  /** The word of the piece taken from a pad. */
  word = $state<string | null>(null);
  #props: () => BoardProps<Wire>;
  #headings: () => Record<string, number>;

  constructor(props: () => BoardProps<Wire>, board: Board) {
    super(props, {
      ...board,
      sort: (acts) => movements(acts.map(readerOf(props()))),
      own: () => false,
      write: () => '',
      idle: (what) => ({ why: `None of your legal moves begins with ${what}.` }),
    });
    this.#props = props;
    this.#headings = board.headings;
  }

  readonly #read = $derived.by(() => readerOf(this.#props()));
  readonly #all = $derived.by((): Act[] => {
    const { acting, legal } = this.#props();
    return acting === null || !this.settled ? [] : legal.map(this.#read);
  });
  /** The words of acts besides their spaces, such as the size of a piece to place. */
  readonly words = $derived.by(() => wordsOf(this.#all));
  /** The legal acts while nothing moves; only those with the chosen word, if any. */
  readonly acts = $derived.by(() => {
    const { word } = this;
    return word === null ? this.#all : this.#all.filter((act) => wordsOf([act]).has(word));
  });
  readonly next = $derived.by(() => next(this.acts, this.tapped));
  /** The acts that have buttons, with labels. */
  readonly buttons = $derived.by(() => {
    const acts = choices(this.acts, this.tapped);
    const words = labels(acts);
    return clockwise(
      acts.map((act, i) => ({ ...act, label: words[i]! })),
      this.#headings(),
    );
  });

  override take(source: Source | null): void {
    this.tapped = source === null ? [] : [source];
    if (source === null) this.word = null;
    super.take(source);
  }

  /** Takes a piece of a pad, or puts it back. */
  takeWord(word: string): void {
    const again = this.word === word;
    this.take(null);
    if (!again) this.word = word;
  }

  override choose(space: string): void {
    this.catchUp();
    if (this.sent?.to !== space) this.#interpret(space, false);
  }

  override drop(source: Source, target: string | null): void {
    if (target === null || target === source) this.take(null);
    else this.#interpret(target, true);
  }

  override press(event: KeyboardEvent): void {
    super.press(event);
    if (event.key !== 'Escape' || event.defaultPrevented || (this.tapped.length === 0 && this.word === null)) return;
    this.take(null);
    event.preventDefault();
  }

  /** Presses the nth button, counted from 1. */
  pressNumber(number: number): boolean {
    const button = this.buttons[number - 1];
    if (button) this.push(button);
    return button !== undefined;
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
    // Others see the piece in hand, so it must not show a secret choice.
    const [first] = tapped;
    const open = narrow(this.acts, tapped).some(({ text }) => !text.startsWith(SECRET));
    super.take(first !== undefined && open && this.legal.has(first) ? first : null);
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

/** The pieces that can be dragged, and their destinations. */
function movements(acts: Act[]): Legal {
  const open = acts.filter(({ text, spaces }) => spaces.length > 1 && !text.startsWith(SECRET));
  return sortWays(open.map(({ text, spaces: [source = '', target = ''] }) => ({ source, target, text })));
}
