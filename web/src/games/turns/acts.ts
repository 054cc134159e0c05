/** Taps: they narrow the legal acts to those whose text names the tapped spaces. */

/** A legal act, and the spaces that its text names, in order. */
export interface Act {
  text: string;
  spaces: string[];
}

/** The prefix of a secret choice. */
export const SECRET = 'choose:';
/** The text of a secret choice that others see until it is revealed. */
export const SEALED = 'chooses';

/** Returns a parser that finds the spaces in texts; longer names come before their prefixes. */
export function reader(names: readonly string[]): (text: string) => Act {
  const longest = [...names].sort((a, b) => b.length - a.length).map((name) => name.replaceAll(/[^\w\s]/g, '\\$&'));
  const named = new RegExp(`(?<!\\w)(?:${longest.join('|')})(?!\\w)`, 'g');
  return (text) => ({ text, spaces: text.match(named) ?? [] });
}

/** The acts left after taps: those that start with these spaces or, if there are none, name them in any order. */
export function narrow(acts: readonly Act[], tapped: readonly string[]): Act[] {
  const ordered = acts.filter(({ spaces }) => tapped.every((name, i) => spaces[i] === name));
  return ordered.length > 0 ? ordered : acts.filter(({ spaces }) => tapped.every((name) => spaces.includes(name)));
}

/** Whether all spaces of an act are tapped. */
export function isComplete({ spaces }: Act, tapped: readonly string[]): boolean {
  return spaces.length === tapped.length || spaces.every((name) => tapped.includes(name));
}

/** The acts that need a button: those without spaces, and those whose spaces are all tapped. */
export function choices(acts: readonly Act[], tapped: readonly string[]): Act[] {
  const ready = tapped.length === 0 ? [] : narrow(acts, tapped).filter((act) => isComplete(act, tapped));
  return [...ready, ...acts.filter(({ spaces }) => spaces.length === 0)];
}

/** The spaces that may be tapped next. */
export function next(acts: readonly Act[], tapped: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const { spaces } of narrow(acts, tapped)) {
    const follows = tapped.every((name, i) => spaces[i] === name);
    const name = follows ? spaces[tapped.length] : spaces.find((other) => !tapped.includes(other));
    if (name !== undefined) found.add(name);
  }
  return found;
}

/** `tapped`: the new tapped spaces; `act`: the act to send, which may be illegal, so that the server says why. */
export type Meaning = { tapped: string[] } | { act: string } | null;

/** The meaning of a tap on a space; null: no act involves it. */
export function tap(acts: readonly Act[], tapped: readonly string[], space: string): Meaning {
  const continues = next(acts, tapped).has(space);
  if (tapped.at(-1) === space && !continues) return { tapped: tapped.slice(0, -1) };
  const all = [...tapped, space];
  const left = narrow(acts, all);
  if (continues || left.length > 0) {
    const [only, ...others] = left;
    return only && others.length === 0 && isComplete(only, all) ? { act: only.text } : { tapped: all };
  }
  if (acts.some(({ spaces }) => spaces[0] === space)) return { tapped: [space] };
  const model = narrow(acts, tapped).find(({ spaces }) => spaces.length === all.length);
  return model ? { act: replaced(model, [...model.spaces.slice(0, -1), space]) } : null;
}

/** The text of an act with other spaces. */
export function replaced({ text, spaces }: Act, others: readonly string[]): string {
  let end = 0;
  const parts = spaces.map((name, i) => {
    const at = text.indexOf(name, end);
    const part = text.slice(end, at) + others[i]!;
    end = at + name.length;
    return part;
  });
  return parts.join('') + text.slice(end);
}

/** The words of an act besides its spaces: "n" of "a1>n", "S" of "S@b3", "rock" of "choose:rock". */
export function rest({ text, spaces }: Act): string {
  const words = spaces.reduce((left, name) => left.replace(name, ' '), text.replace(SECRET, ''));
  return words.replaceAll(/[^\p{L}\p{N}+]+/gu, ' ').trim();
}

/** The words of acts on spaces, besides the spaces. */
export function wordsOf(acts: readonly Act[]): Set<string> {
  return new Set(acts.flatMap((act) => (act.spaces.length > 0 ? rest(act).split(' ') : [])));
}

const DIRECTIONS: Record<string, string> = {
  n: 'north',
  ne: 'north-east',
  e: 'east',
  se: 'south-east',
  s: 'south',
  sw: 'south-west',
  w: 'west',
  nw: 'north-west',
};

/** A direction in words; a game's own directions have names already. */
export function headingWords(direction: string): string {
  return DIRECTIONS[direction] ?? direction;
}

/**
 * Sorts buttons with directions clockwise from the top of the rotated board; those with the same other words stay
 * together, in the place of the first of them.
 */
export function clockwise<T extends { label: string }>(buttons: readonly T[], headings: Record<string, number>): T[] {
  const order = (button: T): [group: number, past: number] => {
    const words = button.label.split(' ');
    const direction = words.find((word) => word in headings);
    const group = buttons.findIndex(({ label }) => otherWords(label) === otherWords(button.label));
    return [group, direction === undefined ? 0 : (((90 - headings[direction]!) % 360) + 360) % 360];
  };
  const otherWords = (label: string): string =>
    label
      .split(' ')
      .map((word) => (word in headings ? '' : word))
      .join(' ');
  return buttons
    .map((button) => ({ button, order: order(button) }))
    .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1])
    .map(({ button }) => button);
}

/** The labels of buttons for acts: their differences, or the whole act if two would be equal. */
export function labels(acts: readonly Act[], names: Record<string, string> = {}): string[] {
  const words = (act: Act): string => rest(act).replaceAll(/\S+/g, (word) => names[word] ?? word);
  const short = withoutShared(acts.map(words));
  return acts.map((act, i) => {
    const own = short[i]!;
    const isClear = own !== '' && short.indexOf(own) === short.lastIndexOf(own);
    return isClear ? own.replaceAll('_', ' ') : spoken(act.text.replace(SECRET, ''));
  });
}

/** Removes the words that all texts share, if each has others. */
function withoutShared(texts: string[]): string[] {
  const parts = texts.map((text) => text.split(' '));
  const own = parts.map((words) => words.filter((word) => !parts.every((others) => others.includes(word))));
  return own.every((words) => words.length > 0) ? own.map((words) => words.join(' ')) : texts;
}

/** "a1–b2": an act for readers. */
export function spoken(text: string): string {
  return text.replaceAll(/(\w)-(?=\w)/g, '$1–');
}
