/** Taps among the legal acts: those whose text names the tapped spaces are left, until one is meant. */

import { isSize, SIZE_WORDS } from '../../pieces/solid';

/** A legal act, and the spaces that its text names, in order. */
export interface Act {
  text: string;
  spaces: string[];
}

/** How a secret choice begins. */
export const SECRET = 'choose:';
/** What others see of one until it is shown. */
export const SEALED = 'chooses';

/** Finds the spaces in texts. A longer name goes before one that it begins with. */
export function reader(names: readonly string[]): (text: string) => Act {
  const longest = [...names].sort((a, b) => b.length - a.length).map((name) => name.replaceAll(/[^\w\s]/g, '\\$&'));
  const named = new RegExp(`(?<!\\w)(?:${longest.join('|')})(?!\\w)`, 'g');
  return (text) => ({ text, spaces: text.match(named) ?? [] });
}

/** The acts that are left after taps: those that begin with these spaces, else those that name them in any order. */
export function narrow(acts: readonly Act[], tapped: readonly string[]): Act[] {
  const ordered = acts.filter(({ spaces }) => tapped.every((name, i) => spaces[i] === name));
  return ordered.length > 0 ? ordered : acts.filter(({ spaces }) => tapped.every((name) => spaces.includes(name)));
}

/** Whether all spaces of an act are tapped. */
export function isComplete({ spaces }: Act, tapped: readonly string[]): boolean {
  return spaces.length === tapped.length || spaces.every((name) => tapped.includes(name));
}

/** The acts to choose among by a button: such as name no space, and others of which every space is tapped. */
export function choices(acts: readonly Act[], tapped: readonly string[]): Act[] {
  const ready = tapped.length === 0 ? [] : narrow(acts, tapped).filter((act) => isComplete(act, tapped));
  return [...ready, ...acts.filter(({ spaces }) => spaces.length === 0)];
}

/** The spaces that may be tapped next. */
export function next(acts: readonly Act[], tapped: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const { spaces } of narrow(acts, tapped)) {
    const follows = tapped.every((name, i) => spaces[i] === name);
    const name = follows ? spaces[tapped.length] : spaces.find((one) => !tapped.includes(one));
    if (name !== undefined) found.add(name);
  }
  return found;
}

/** `tapped`: the spaces from now on; `act`: what is to be sent, also where it is not legal, so that the server says why. */
export type Meaning = { tapped: string[] } | { act: string } | null;

/** What a tap on a space means; null: no act has to do with it. */
export function tap(acts: readonly Act[], tapped: readonly string[], space: string): Meaning {
  const goesOn = next(acts, tapped).has(space);
  if (tapped.at(-1) === space && !goesOn) return { tapped: tapped.slice(0, -1) };
  const all = [...tapped, space];
  const left = narrow(acts, all);
  if (goesOn || left.length > 0) {
    const [only, ...others] = left;
    return only && others.length === 0 && isComplete(only, all) ? { act: only.text } : { tapped: all };
  }
  if (acts.some(({ spaces }) => spaces[0] === space)) return { tapped: [space] };
  const meant = narrow(acts, tapped).find(({ spaces }) => spaces.length === all.length);
  const at = meant?.text.lastIndexOf(meant.spaces.at(-1)!);
  if (!meant || at === undefined) return null;
  return { act: meant.text.slice(0, at) + space + meant.text.slice(at + meant.spaces.at(-1)!.length) };
}

/** What an act says beside the spaces that it names: "n" of "a1>n", "S" of "S@b3", "rock" of "choose:rock". */
export function rest({ text, spaces }: Act): string {
  const words = spaces.reduce((left, name) => left.replace(name, ' '), text.replace(SECRET, ''));
  return words.replaceAll(/[^\p{L}\p{N}+]+/gu, ' ').trim();
}

/** The words that acts on spaces say beside these. */
export function wordsOf(acts: readonly Act[]): Set<string> {
  return new Set(acts.flatMap((act) => (act.spaces.length > 0 ? rest(act).split(' ') : [])));
}

const WAYS: Record<string, string> = {
  n: 'north',
  ne: 'north-east',
  e: 'east',
  se: 'south-east',
  s: 'south',
  sw: 'south-west',
  w: 'west',
  nw: 'north-west',
};

/** A direction as people read and hear it; those of a game's own have names already. */
export function wayWords(way: string): string {
  return WAYS[way] ?? way;
}

/**
 * Buttons with directions in the order of a compass as the board lies, clockwise from the top; those that say the same
 * beside their directions stay together, where the first of them was.
 */
export function inCompass<T extends { label: string }>(buttons: readonly T[], headings: Record<string, number>): T[] {
  const order = (button: T): [group: number, past: number] => {
    const words = button.label.split(' ');
    const way = words.find((word) => word in headings);
    const group = buttons.findIndex(({ label }) => beside(label) === beside(button.label));
    return [group, way === undefined ? 0 : (((90 - headings[way]!) % 360) + 360) % 360];
  };
  const beside = (label: string): string =>
    label
      .split(' ')
      .map((word) => (word in headings ? '' : word))
      .join(' ');
  return buttons
    .map((button) => ({ button, order: order(button) }))
    .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1])
    .map(({ button }) => button);
}

/** What the buttons for acts say: by what they differ; in full where they would be alike. */
export function labels(acts: readonly Act[]): string[] {
  const short = withoutShared(acts.map(rest));
  return acts.map((act, i) => {
    const own = short[i]!;
    if (own === '' || short.indexOf(own) !== short.lastIndexOf(own)) return spoken(act.text.replace(SECRET, ''));
    const words = own.split(' ').map((word) => (isSize(word) ? SIZE_WORDS[word] : word));
    return words.join(' ').replaceAll('_', ' ');
  });
}

/** Texts without the words that all of them have, if each has others. */
function withoutShared(texts: string[]): string[] {
  const parts = texts.map((text) => text.split(' '));
  const own = parts.map((words) => words.filter((word) => !parts.every((others) => others.includes(word))));
  return own.every((words) => words.length > 0) ? own.map((words) => words.join(' ')) : texts;
}

/** "a1–b2": an act as people read it. */
export function spoken(text: string): string {
  return text.replaceAll(/(\w)-(?=\w)/g, '$1–');
}
