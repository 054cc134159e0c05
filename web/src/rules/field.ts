/** The examples of Icehouse in its rules: what lies on the field after their acts. */

import { isColour, type Colour } from '../pieces/colours';
import { isSize, SIZE_WORDS, type Size } from '../pieces/solid';

export interface Lying {
  id: string;
  size: Size;
  colour: Colour;
  /** Thousandths of an inch from the left and from the bottom. */
  x: number;
  y: number;
  /** Degrees. */
  heading: number;
  standing: boolean;
  iced: boolean;
}

export interface Example {
  caption: string;
  /** The acts as they are written, and what becomes of them. */
  acts: string;
  results: string;
  pieces: Lying[];
}

/** Of the field in all examples, in thousandths of an inch. */
export const FIELD = { width: 8000, height: 4000 };

/** A block of the rules; null: it is no example. */
export function readExample(text: string, colours: string[]): Example | null {
  const [caption = '', acts = '', ...parts] = text.trim().split(/\n\n+/);
  if (!/^[\d*] /.test(acts)) return null;
  const results = parts.filter((part) => !part.startsWith('+-')).join('\n');
  const iced = [...results.matchAll(/^(p\d+) is iced\.$/gm)].map(([, id]) => id);
  const pieces = play(acts.split('\n'), colours).map((piece) => ({ ...piece, iced: iced.includes(piece.id) }));
  return { caption, acts, results, pieces };
}

/** The acts one after another; what was refused, crashed, captured or melted down is not on the field. */
function play(lines: string[], colours: string[]): Lying[] {
  const hands: Record<string, { size: Size; colour: Colour }> = {};
  let field: Lying[] = [];
  let number = 0;
  for (const line of lines) {
    const [, seat = '', acts = '', sign, outcome = ''] = /^([\d*]) (.*?)(?: ([!#]) (.*))?$/.exec(line) ?? [];
    for (const act of acts.split(', ')) {
      const lifted = /^lift ([SML])(?::([a-z]+))?$/.exec(act);
      if (lifted) hands[seat] = kindOf(lifted[1], lifted[2] ?? colours[Number(seat)]);
      const placed = /^place (\d+),(\d+) (stand|point) (.*)$/.exec(act);
      const kind = hands[seat];
      if (!placed || !kind || sign === '!' || outcome.includes('crashes')) continue;
      const [, x, y, how, heading] = placed;
      number += 1;
      const pose = { x: Number(x), y: Number(y), heading: Number(heading), standing: how === 'stand' };
      field.push({ id: `p${number}`, ...kind, ...pose, iced: false });
    }
    const gone = [...outcome.matchAll(/(?:captures|melts)((?: p\d+)+)/g)].flatMap(([, ids = '']) => ids.split(' '));
    field = field.filter(({ id }) => !gone.includes(id));
  }
  return field;
}

function kindOf(size = '', colour = ''): { size: Size; colour: Colour } {
  if (!isSize(size) || !isColour(colour)) throw new Error(`There is no piece ${size}:${colour}.`);
  return { size, colour };
}

/** "p1 medium red stands, iced; p2 small green lies": the field for those who hear it. */
export function fieldWords(pieces: Lying[]): string {
  const words = pieces.map(
    ({ id, size, colour, standing, iced }) =>
      `${id} ${SIZE_WORDS[size]} ${colour} ${standing ? 'stands' : 'lies'}${iced ? ', iced' : ''}`,
  );
  return words.join('; ') || 'no pieces on the field';
}
