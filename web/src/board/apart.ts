/** Names that stay distinguishable when they are cut. */

/** Number of letters that are visible however little room there is. */
const MIN_LETTERS = 2;

/**
 * Splits a name into the beginning that it shares with another name, which may be cut, and the rest. The rest is empty
 * if the first letters distinguish the name from all others.
 */
export function splitName(name: string, others: readonly string[]): [shared: string, own: string] {
  const alike = others.filter((other) => other !== name && other.startsWith(name.slice(0, MIN_LETTERS)));
  if (alike.length === 0) return [name, '']; // the segmenter takes a browser long to load
  const letters = lettersOf(name);
  const shared = Math.max(...alike.map((other) => commonLength(letters, lettersOf(other))));
  return shared < MIN_LETTERS ? [name, ''] : [letters.slice(0, shared).join(''), letters.slice(shared).join('')];
}

function lettersOf(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
}

/** The length of the common beginning of two names. */
function commonLength(name: string[], other: string[]): number {
  const end = name.findIndex((letter, i) => letter !== other[i]);
  return end < 0 ? name.length : end;
}
