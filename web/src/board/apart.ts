/** Names that are told apart where there is no room for the whole of them. */

/** So many letters of a name show however little room there is. */
const SEEN = 2;

/**
 * A name in two parts, of which only the first is to be cut: what it has in common with the beginning of another name,
 * and the rest. The second is empty where the first letters tell it from all others.
 */
export function apart(name: string, others: readonly string[]): [shared: string, own: string] {
  const alike = others.filter((other) => other !== name && other.startsWith(name.slice(0, SEEN)));
  if (alike.length === 0) return [name, '']; // what letters are takes a browser long to load
  const letters = lettersOf(name);
  const shared = Math.max(...alike.map((other) => common(letters, lettersOf(other))));
  return shared < SEEN ? [name, ''] : [letters.slice(0, shared).join(''), letters.slice(shared).join('')];
}

function lettersOf(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
}

/** How many letters two names have in common from the first on. */
function common(one: string[], other: string[]): number {
  const end = one.findIndex((letter, i) => letter !== other[i]);
  return end < 0 ? one.length : end;
}
