/** Parses the text drawings of boards in the rules. */

import { LETTERS } from '../games/registry';
import { isColour, type Colour } from '../pieces/colours';
import { isSize, SIZE_WORDS, type Size } from '../pieces/solid';
import type { Piece } from '../pieces/stack';

export interface Place {
  name: string;
  /** Column and row; on a `centred` board, half columns from the middle. */
  x: number;
  y: number;
  /** From bottom to top. */
  stack: Piece[];
  /** The number of pieces in the stack that are hidden under larger ones. */
  hidden: number;
  captain: { colour: Colour; number: number } | null;
  /** The piece in question may move here. */
  marked: boolean;
  /** Its name is drawn. */
  named: boolean;
}

export interface Board {
  /** Rows of different lengths are centred, as on hexagonal boards. */
  centred: boolean;
  rows: number;
  cols: number;
  places: Place[];
}

export interface Drawing {
  caption: string;
  /** One position, or the positions before and after a move. */
  boards: Board[];
}

/** The colours of seat 0, in games where seats have several. */
const RAINBOW = ['red', 'yellow', 'green', 'blue', 'black'];
const TOKEN = /^(?:[.#x]|[a-z]\d+|((?:\dC\d|\d[A-Z]\??|[SML]:[a-z]+)+)(x?))$/;
const PIECE = /(\d)C(\d)|(\d)([A-Z])(\??)|([SML]):([a-z]+)/g;

/** Parses a block of the rules; null if it draws no boards. */
export function parseDrawing(game: string, text: string, colours: string[]): Drawing | null {
  const [caption = '', ...parts] = text.trim().split(/\n\n+/);
  const tables = parts.map((part) => part.split('\n').map((row) => row.trim().split(/\s+/)));
  if (tables.length === 0 || !tables.flat(2).every((token) => TOKEN.test(token))) return null;
  return { caption, boards: tables.map((table) => parseBoard(game, table, colours)) };
}

function parseBoard(game: string, table: string[][], colours: string[]): Board {
  const cols = Math.max(...table.map(({ length }) => length));
  const centred = table.some(({ length }) => length < cols);
  const places = table.flatMap((row, y) =>
    row.flatMap((token, i) => {
      if (token === '#') return [];
      const rank = table.length - y;
      const name = centred ? `${letterOf(rank - 1)}${i + 1}` : `${letterOf(i)}${rank}`;
      return [{ name, x: centred ? 2 * i - row.length + 1 : i, y, ...parseToken(game, token, colours) }];
    }),
  );
  return { centred, rows: table.length, cols, places };
}

function letterOf(index: number): string {
  return 'abcdefghi'[index] ?? '';
}

function parseToken(game: string, token: string, colours: string[]): Omit<Place, 'name' | 'x' | 'y'> {
  const [, pieces = '', mark] = TOKEN.exec(token) ?? [];
  const found = [...pieces.matchAll(PIECE)];
  const colourOf = (seat: string | undefined): Colour => colourNamed(colours[Number(seat)] ?? '');
  const captain = found.find(([, seat]) => seat !== undefined);
  return {
    stack: found.flatMap(([, seat, , owner, kind = '', , size = '', name = '']) => {
      if (seat !== undefined) return [];
      if (owner !== undefined) return [{ size: sizeOf(game, kind), colour: colourOf(owner) }];
      return [
        { size: sizeOf(game, size), colour: colourNamed(name), mark: colourOf(RAINBOW.includes(name) ? '0' : '1') },
      ];
    }),
    hidden: found.filter(([, , , , , hidden]) => hidden === '?').length,
    captain: captain ? { colour: colourOf(captain[1]), number: Number(captain[2]) } : null,
    marked: token === 'x' || mark === 'x',
    named: /^[a-z]\d+$/.test(token),
  };
}

function sizeOf(game: string, letter: string): Size {
  const size = LETTERS[game]?.[letter] ?? letter;
  if (!isSize(size)) throw new Error(`No piece has the letter ${letter}.`);
  return size;
}

function colourNamed(name: string): Colour {
  if (!isColour(name)) throw new Error(`There is no colour ${name}.`);
  return name;
}

/** A board for screen readers: "a1 large red on small blue; marked: b1, c2". */
export function boardWords({ places }: Board): string {
  const taken = places.flatMap(({ name, stack, captain }) => {
    if (captain) return [`${name} ${captain.colour} captain with ${captain.number}`];
    const pieces = [...stack].reverse().map(({ size, colour }) => `${SIZE_WORDS[size]} ${colour}`);
    return pieces.length > 0 ? [`${name} ${pieces.join(' on ')}`] : [];
  });
  const marked = places.flatMap((place) => (place.marked ? [place.name] : []));
  return [taken.join(', ') || 'no pieces', ...(marked.length > 0 ? [`marked: ${marked.join(', ')}`] : [])].join('; ');
}
