/** Parses the examples in the rules of Icehouse, with the field after their acts. */

import { isColour, type Colour } from '../pieces/colours';
import { isSize, SIZE_WORDS, type Size } from '../pieces/solid';

export interface FieldPiece {
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
  acts: string;
  results: string;
  pieces: FieldPiece[];
}

/** In thousandths of an inch. */
export const FIELD = { width: 8000, height: 4000 };

/** Parses a block of the rules; null if it isn’t an example. */
export function parseExample(text: string, colours: string[]): Example | null {
  const [caption = '', acts = '', ...parts] = text.trim().split(/\n\n+/);
  if (!/^[\d*] /.test(acts)) return null;
  const results = parts.filter((part) => !part.startsWith('+-')).join('\n');
  const iced = [...results.matchAll(/^(p\d+) is iced\.$/gm)].map(([, id]) => id);
  const pieces = play(acts.split('\n'), colours).map((piece) => ({ ...piece, iced: iced.includes(piece.id) }));
  return { caption, acts, results, pieces };
}

/** Plays the acts; pieces that were refused, crashed, captured or melted down are not on the field. */
function play(lines: string[], colours: string[]): FieldPiece[] {
  const hands: Record<string, { size: Size; colour: Colour }> = {};
  let field: FieldPiece[] = [];
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
    const removed = [...outcome.matchAll(/(?:captures|melts)((?: p\d+)+)/g)].flatMap(([, ids = '']) => ids.split(' '));
    field = field.filter(({ id }) => !removed.includes(id));
  }
  return field;
}

function kindOf(size = '', colour = ''): { size: Size; colour: Colour } {
  if (!isSize(size) || !isColour(colour)) throw new Error(`There is no piece ${size}:${colour}.`);
  return { size, colour };
}

/** The field for screen readers: "p1 medium red stands, iced; p2 small green lies". */
export function fieldWords(pieces: FieldPiece[]): string {
  const words = pieces.map(
    ({ id, size, colour, standing, iced }) =>
      `${id} ${SIZE_WORDS[size]} ${colour} ${standing ? 'stands' : 'lies'}${iced ? ', iced' : ''}`,
  );
  return words.join('; ') || 'no pieces on the field';
}
