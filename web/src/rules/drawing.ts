/** The drawings of the rules, as data to paint: boards of letters as a terminal shows them. */

import { LETTERS } from '../games/registry';
import { isColour, type Colour } from '../pieces/colours';
import { isSize, SIZE_WORDS, type Size } from '../pieces/solid';
import type { Piece } from '../pieces/stack';

export interface Place {
  name: string;
  /** In places across and rows down; where rows differ in length, in half places from the middle. */
  x: number;
  y: number;
  /** From bottom to top; some of them may be hidden under larger ones. */
  stack: Piece[];
  /** How many of them are out of sight. */
  hidden: number;
  captain: { colour: Colour; number: number } | null;
  /** The piece in question may come here. */
  marked: boolean;
  /** It is drawn with its name. */
  named: boolean;
}

export interface Board {
  /** The rows lie half a place apart from one another, as hexagons do. */
  centred: boolean;
  rows: number;
  cols: number;
  places: Place[];
}

export interface Drawing {
  /** What it shows, in a sentence. */
  caption: string;
  /** One position, or those before and after a move. */
  boards: Board[];
}

/** Of one seat's colours, in games where a seat has several. */
const RAINBOW = ['red', 'yellow', 'green', 'blue', 'black'];
const TOKEN = /^(?:[.#x]|[a-z]\d+|((?:\dC\d|\d[A-Z]\??|[SML]:[a-z]+)+)(x?))$/;
const PIECE = /(\d)C(\d)|(\d)([A-Z])(\??)|([SML]):([a-z]+)/g;

/** A block of the rules; null: it draws no boards. */
export function readDrawing(game: string, text: string, colours: string[]): Drawing | null {
  const [caption = '', ...parts] = text.trim().split(/\n\n+/);
  const tables = parts.map((part) => part.split('\n').map((row) => row.trim().split(/\s+/)));
  if (tables.length === 0 || !tables.flat(2).every((token) => TOKEN.test(token))) return null;
  return { caption, boards: tables.map((table) => readBoard(game, table, colours)) };
}

function readBoard(game: string, table: string[][], colours: string[]): Board {
  const cols = Math.max(...table.map(({ length }) => length));
  const centred = table.some(({ length }) => length < cols);
  const places = table.flatMap((row, y) =>
    row.flatMap((token, i) => {
      if (token === '#') return [];
      const rank = table.length - y;
      const name = centred ? `${letter(rank - 1)}${i + 1}` : `${letter(i)}${rank}`;
      return [{ name, x: centred ? 2 * i - row.length + 1 : i, y, ...readToken(game, token, colours) }];
    }),
  );
  return { centred, rows: table.length, cols, places };
}

function letter(number: number): string {
  return 'abcdefghi'[number] ?? '';
}

function readToken(game: string, token: string, colours: string[]): Omit<Place, 'name' | 'x' | 'y'> {
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

/** "a1 large red on small blue; marked: b1, c2": a board for those who hear it. */
export function boardWords({ places }: Board): string {
  const taken = places.flatMap(({ name, stack, captain }) => {
    if (captain) return [`${name} ${captain.colour} captain with ${captain.number}`];
    const pieces = [...stack].reverse().map(({ size, colour }) => `${SIZE_WORDS[size]} ${colour}`);
    return pieces.length > 0 ? [`${name} ${pieces.join(' on ')}`] : [];
  });
  const marked = places.flatMap((place) => (place.marked ? [place.name] : []));
  return [taken.join(', ') || 'no pieces', ...(marked.length > 0 ? [`marked: ${marked.join(', ')}`] : [])].join('; ');
}
