/** A board in use where acts are of any form: spaces are tapped until one legal act is meant. */

import { announcer } from '../../app/announcer.svelte';
import { counted } from '../../app/words';
import { sortWays, type Legal, type Source } from '../../board/hand';
import { Play, type Game } from '../../board/play.svelte';
import type { BoardProps } from '../../board/game-view';
import { choices, inCompass, labels, narrow, next, reader, SECRET, tap, wayWords, wordsOf, type Act } from './acts';
import type { TableScene } from './scene';
import type { Wire } from './wire';

interface Board extends Pick<Game<TableScene, Wire>, 'plan' | 'spaceAt'> {
  /** The angle of each direction as the board lies. */
  headings: () => Record<string, number>;
}

export class Taps extends Play<TableScene, Wire> {
  /** The spaces that are tapped so far. */
  tapped = $state.raw<string[]>([]);
  /** The word of a piece that is taken from a pad. */
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
  /** What acts on spaces say beside these, such as the size of a piece to place. */
  readonly words = $derived.by(() => wordsOf(this.#all));
  /** The legal acts, while nothing moves; those with the chosen word. */
  readonly acts = $derived.by(() => {
    const { word } = this;
    return word === null ? this.#all : this.#all.filter((act) => wordsOf([act]).has(word));
  });
  readonly next = $derived.by(() => next(this.acts, this.tapped));
  /** The acts that have buttons, with what these say. */
  readonly buttons = $derived.by(() => {
    const acts = choices(this.acts, this.tapped);
    const words = labels(acts);
    return inCompass(
      acts.map((act, i) => ({ ...act, label: words[i]! })),
      this.#headings(),
    );
  });

  override take(source: Source | null): void {
    this.tapped = source === null ? [] : [source];
    if (source === null) this.word = null;
    super.take(source);
  }

  /** A piece of a pad is tapped: taken or put back. */
  takeWord(word: string): void {
    const again = this.word === word;
    this.take(null);
    if (!again) this.word = word;
  }

  override choose(space: string): void {
    this.catchUp();
    if (this.sent?.to !== space) this.#mean(space, false);
  }

  override drop(source: Source, target: string | null): void {
    if (target === null || target === source) this.take(null);
    else this.#mean(target, true);
  }

  override press(event: KeyboardEvent): void {
    super.press(event);
    if (event.key !== 'Escape' || event.defaultPrevented || (this.tapped.length === 0 && this.word === null)) return;
    this.take(null);
    event.preventDefault();
  }

  /** The nth button, from 1, is pressed by its key. */
  pressNumber(number: number): boolean {
    const meant = this.buttons[number - 1];
    if (meant) this.push(meant);
    return meant !== undefined;
  }

  /** A button is pressed. */
  push({ text }: Act): void {
    if (this.sent?.text !== text) this.act(text);
  }

  #mean(space: string, carried: boolean): void {
    const meant = tap(this.acts, this.tapped, space);
    if (!meant) this.explain(space);
    else if ('act' in meant) this.act(meant.act, space, carried && this.acts.some(({ text }) => text === meant.act));
    else this.#tapped(meant.tapped);
  }

  #tapped(tapped: string[]): void {
    // What is in hand others see: nothing that is chosen in secret.
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
        .map((word) => (word in headings ? wayWords(word) : word))
        .join(' ');
    const named = buttons.slice(0, 9).map(({ label }, i) => `${i + 1}: ${read(label)}.`);
    const ways = next.size > 0 ? [`${counted(next.size, 'space')} to go on with.`] : [];
    return [`Chosen: ${this.tapped.join(', ')}.`, ...ways, ...named].join(' ');
  }
}

function readerOf({ layout }: BoardProps<Wire>): (text: string) => Act {
  return reader(layout.spaces.map(({ name }) => name));
}

/** What can be dragged, and where it can be dropped. */
function movements(acts: Act[]): Legal {
  const open = acts.filter(({ text, spaces }) => spaces.length > 1 && !text.startsWith(SECRET));
  return sortWays(open.map(({ text, spaces: [source = '', target = ''] }) => ({ source, target, text })));
}
