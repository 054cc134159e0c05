/** Drawings of pieces: standing and lying pyramids, tokens, and piles of them. */

import { COLOURS, GREY, isColour, type Colour } from '../../pieces/colours';
import { rise, type Look } from '../../pieces/projection';
import { BASE, HEIGHT, isSize, SIZE_WORDS, slant } from '../../pieces/solid';
import { layers, type Layer, type Piece as Solid } from '../../pieces/stack';
import { tipHeight } from '../../board/spaces';
import { colourOf, nameOf } from '../../board/words';
import type { Seat } from '../../wire';
import { headingWords } from './acts';
import type { Piece, Pyramid, Token } from './wire';

/** The size of a token. */
export const CHIP = { height: 13, radius: 26 };
/** The shift up the picture per piece below, seen from above. */
const LEAN = 7.5;

/** A piece with its place over its space. */
export interface Placed extends Pick<Layer, 'z' | 'lean' | 'hidden' | 'marked'> {
  piece: Piece;
  topmost: boolean;
}

export function isPyramid(piece: Piece): piece is Pyramid {
  return 'size' in piece;
}

/** Whether it replaces a piece that the viewer does not see. */
function isUnseen(piece: Piece): boolean {
  return !isPyramid(piece) && piece.name === 'hidden' && piece.colour === GREY;
}

/** The letters on a token. */
export function lettersOf(token: Token): string {
  if (isUnseen(token)) return '?';
  return token.name.length > 2 ? token.name[0]!.toUpperCase() : token.name;
}

/** The glass of a piece; clear for unknown colours. */
export function glassOf({ colour }: Pick<Piece, 'colour'>, seats: Seat[]): Colour {
  if (typeof colour === 'number') return colourOf(seats, colour);
  return isColour(colour) || colour === GREY ? colour : 'clear';
}

export function solidOf(piece: Piece, seats: Seat[]): Solid {
  return { size: isPyramid(piece) ? piece.size : 'S', colour: glassOf(piece, seats) };
}

/** From the bottom up: standing pyramids nest, all other pieces lie on top of those below. */
export function pile(pieces: readonly Piece[]): Placed[] {
  const placed: Placed[] = [];
  let floor = 0;
  let standing: Pyramid[] = [];
  const settle = (): void => {
    const stack = standing.map(({ size }): Solid => ({ size, colour: 'clear' }));
    const lean = placed.length * LEAN;
    for (const [i, layer] of layers(stack).entries()) {
      placed.push({ ...layer, piece: standing[i]!, z: layer.z + floor, lean: layer.lean + lean, topmost: false });
    }
    floor += tipHeight(stack);
    standing = [];
  };
  for (const piece of pieces) {
    if (isPyramid(piece) && piece.heading === null) standing.push(piece);
    else {
      settle();
      placed.push({ piece, z: floor, lean: placed.length * LEAN, hidden: false, marked: true, topmost: true });
      floor += isPyramid(piece) ? thickness(piece) : CHIP.height;
    }
  }
  settle();
  const shown = placed.findLast(({ hidden }) => !hidden);
  if (shown) shown.topmost = true;
  return placed;
}

/** The height of a lying pyramid. */
function thickness({ size }: Pyramid): number {
  return (BASE[size] * HEIGHT[size]) / slant(size);
}

/** The outline of a pile for the pointer, as an SVG path. */
export function outline(pieces: readonly Piece[], look: Look): string {
  if (look === 'top') return '';
  return pile(pieces)
    .map(({ piece, z }) => {
      const stands = isPyramid(piece) && piece.heading === null;
      const half = isPyramid(piece) ? BASE[piece.size] * Math.SQRT1_2 : CHIP.radius;
      const height = stands ? HEIGHT[piece.size] : isPyramid(piece) ? thickness(piece) : CHIP.height;
      const [foot, tip] = [-z * rise(look), -(z + height) * rise(look)];
      return `M${-half} ${foot}L0 ${foot + half * 0.7} ${half} ${foot} ${stands ? `0 ${tip}` : `${half} ${tip}H${-half}`}Z`;
    })
    .join('');
}

// Words

/** "large red pyramid that points north", "blue stone". */
export function pieceWords(piece: Piece, seats: Seat[]): string {
  const colour = typeof piece.colour === 'number' ? colourOf(seats, piece.colour) : piece.colour;
  if (isUnseen(piece)) return 'hidden piece';
  if (!isPyramid(piece)) return `${colour} ${piece.name}`;
  return `${SIZE_WORDS[piece.size]} ${colour} pyramid${piece.heading === null ? '' : ` that points ${headingWords(piece.heading)}`}`;
}

const PYRAMID = /^(\d|[a-z]+)([SML])(?:>(\w+))?$/;
const TOKEN = new RegExp(`^(\\d|${[...COLOURS, GREY].join('|')})(.+)$`);

/** The name of several pieces that move together, in an effect. */
export const SEVERAL = /^(\d+) pieces$/;

/** Parses the name of a piece in an effect: "0L", "redM>ne" or "0stone". */
export function readPiece(value: string): Piece {
  const [, colour, size = '', heading] = PYRAMID.exec(value) ?? [];
  if (colour && isSize(size)) return { size, colour: readColour(colour), heading: heading ?? null };
  const [, own = 'clear', name = value] = TOKEN.exec(value) ?? [];
  return { name, colour: readColour(own) };
}

function readColour(text: string): number | string {
  return /^\d$/.test(text) ? Number(text) : text;
}

/** "Ann has 2 times black stone.": a pad for screen readers. */
export function padWords(pad: readonly Piece[], seats: Seat[], seat: number): string {
  const counts = new Map<string, number>();
  for (const piece of pad) {
    const words = pieceWords(piece, seats);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const held = [...counts].map(([words, count]) => (count > 1 ? `${count} times ${words}` : words));
  return `${nameOf(seats, seat)} has ${held.join(', ')}.`;
}
