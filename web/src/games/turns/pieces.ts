/** Pieces as they are drawn and named: standing and lying pyramids, dice, other tokens, and piles of them. */

import { tipHeight } from '../../board/spaces';
import { colourOf, nameOf, whose } from '../../board/words';
import { COLOURS, GREY, isColour, type Colour } from '../../pieces/colours';
import { rise, type Look } from '../../pieces/projection';
import { BASE, HEIGHT, slant, type Size } from '../../pieces/solid';
import { layers, type Layer, type Piece as Solid } from '../../pieces/stack';
import type { Seat } from '../../wire';
import { headingWords } from './acts';
import type { Kind, Layout, Line, View } from './wire';

type Kinds = Layout['kinds'];

/** A piece. `kind`: the letter of a pyramid's size, or a token's name; that of a die ends with its face, as in "C3". */
export interface Piece {
  kind: string;
  /** Its seat, or the name of any other colour. */
  colour: number | string;
  /** The direction of a pyramid that lies. */
  heading?: string;
}

/** Equal pieces on a pad. */
export interface Pile extends Piece {
  count: number;
}

/** The text of a piece that the viewer does not see. */
export const UNSEEN = 'greyhidden';

/** The size of a token. */
export const CHIP = { height: 13, radius: 26 };
/** The height of a die of four sides. */
const DIE_HEIGHT = 54;
/** The shift up the picture per piece below, seen from above. */
const LEAN = 7.5;

/** What is drawn of a piece. */
export interface Figure {
  colour: Colour;
  /** The colour of its owner, whose mark it bears; undefined: its own. */
  mark?: Colour;
  /** Null: it is no pyramid. */
  size: Size | null;
  /** Null: it stands. */
  heading: string | null;
  /** The sides of a die; 0: it is none. */
  sides: number;
  /** What a token or a die shows. */
  face: string;
  /** The viewer does not see which piece it is. */
  unseen?: boolean;
}

/** The cover of a space with something hidden under it. */
export const COVER: Figure = { colour: GREY, size: 'L', heading: null, sides: 0, face: '' };

/** A figure with its place over its space. */
export interface Placed extends Pick<Layer, 'z' | 'lean' | 'marked'> {
  figure: Figure;
  topmost: boolean;
}

/** The kind of a piece by its letter or name, and the face of a die, which ends the name of its kind, as in "C3". */
export function kindOf(name: string, kinds: Kinds): { key: string; kind: Kind | undefined; face: string } {
  const [, die = '', face = ''] = /^(.+?)(\d+)$/.exec(name) ?? [];
  const key = !(name in kinds) && kinds[die]?.sides ? die : name;
  return { key, kind: kinds[key], face: key === name ? '' : face };
}

export function figureOf({ kind: name, colour, heading }: Piece, kinds: Kinds, seats: Seat[]): Figure {
  const { kind, face } = kindOf(name, kinds);
  const letters = name.length > 2 ? name[0]!.toUpperCase() : name;
  const owner = ownerOf({ kind: name, colour }, kinds);
  const unseen = isUnseen({ kind: name, colour });
  return {
    ...(owner !== null && typeof colour === 'string' && { mark: colourOf(seats, owner) }),
    ...(unseen && { unseen }),
    colour:
      typeof colour === 'number' ? colourOf(seats, colour) : isColour(colour) || colour === GREY ? colour : 'clear',
    size: kind?.size ?? null,
    heading: heading ?? null,
    sides: kind?.sides ?? 0,
    face: unseen ? '?' : kind?.sides ? face : letters,
  };
}

/** The seat of a piece, which may have pieces of several colours; null: no seat's. */
export function ownerOf({ kind: name, colour }: Piece, kinds: Kinds): number | null {
  if (typeof colour === 'number') return colour;
  const seat = kindOf(name, kinds).kind?.colours?.findIndex((colours) => colours.includes(colour)) ?? -1;
  return seat < 0 ? null : seat;
}

/** Whether it replaces a piece that the viewer does not see. */
export function isUnseen({ kind, colour }: Piece): boolean {
  return kind === 'hidden' && colour === GREY;
}

/** The pyramid that casts the same shadow. */
export function footOf({ size, colour, sides }: Figure): Solid {
  return { size: size ?? (sides === 4 ? 'M' : 'S'), colour };
}

function stands({ size, heading }: Figure): boolean {
  return size !== null && heading === null;
}

/** The figures that take up room: one that is unseen, or smaller than a standing pyramid above, is hidden within that. */
function inSight(figures: readonly Figure[]): Figure[] {
  const bases = figures.map((figure) => (stands(figure) ? BASE[figure.size!] : 0));
  return figures.filter((figure, i) => {
    if (!figure.unseen && !stands(figure)) return true;
    const above = Math.max(0, ...bases.slice(i + 1, endOfNest(figures, i)));
    return figure.unseen ? above === 0 : above <= bases[i]!;
  });
}

/** The first place above that is no part of the same nest of pyramids. */
function endOfNest(figures: readonly Figure[], from: number): number {
  const end = figures.findIndex((figure, i) => i > from && !figure.unseen && !stands(figure));
  return end < 0 ? figures.length : end;
}

/** What is seen, from the bottom up: standing pyramids nest, all other pieces lie on top of those below. */
export function pile(figures: readonly Figure[]): Placed[] {
  const placed: Placed[] = [];
  let floor = 0;
  let standing: Figure[] = [];
  const settle = (): void => {
    const stack = standing.map(({ size }): Solid => ({ size: size!, colour: 'clear' }));
    const lean = placed.length * LEAN;
    for (const [i, layer] of layers(stack).entries()) {
      const { z, marked } = layer;
      placed.push({ figure: standing[i]!, z: z + floor, lean: layer.lean + lean, marked, topmost: false });
    }
    floor += tipHeight(stack);
    standing = [];
  };
  for (const figure of inSight(figures)) {
    if (stands(figure)) standing.push(figure);
    else {
      settle();
      placed.push({ figure, z: floor, lean: placed.length * LEAN, marked: true, topmost: true });
      floor += heightOf(figure);
    }
  }
  settle();
  if (placed.length > 0) placed.at(-1)!.topmost = true;
  return placed;
}

function heightOf({ size, heading, sides }: Figure): number {
  if (!size) return sides === 4 ? DIE_HEIGHT : CHIP.height;
  return heading === null ? HEIGHT[size] : (BASE[size] * HEIGHT[size]) / slant(size);
}

/** The height of the tip of a pile over the table. */
export function tipOf(figures: readonly Figure[]): number {
  return Math.max(0, ...pile(figures).map(({ figure, z }) => z + heightOf(figure)));
}

/** The outline of a pile for the pointer, as an SVG path. */
export function outline(figures: readonly Figure[], look: Look): string {
  if (look === 'top') return '';
  return pile(figures)
    .map(({ figure, z }) => {
      const pointed = figure.size ? figure.heading === null : figure.sides === 4;
      const half = figure.size ? BASE[figure.size] * Math.SQRT1_2 : CHIP.radius;
      const [foot, tip] = [-z * rise(look), -(z + heightOf(figure)) * rise(look)];
      const top = pointed ? `0 ${tip}` : `${half} ${tip}H${-half}`;
      return `M${-half} ${foot}L0 ${foot + half * 0.7} ${half} ${foot} ${top}Z`;
    })
    .join('');
}

/** The pieces of a kind on a pad, the one that is taken next on top: of the named colour or else of the most frequent. */
export function heap(pad: readonly Pile[], kind: string, named: string | null): Piece[] {
  const rank = ({ colour, count }: Pile): number => (colour === named ? Infinity : count);
  const piles = pad.filter((pile) => pile.kind === kind).toReversed();
  return piles
    .sort((a, b) => rank(a) - rank(b))
    .flatMap(({ count, colour }) => Array.from({ length: count }, () => ({ kind, colour })));
}

/** The kind and the seat of a piece that an act put on the board; null: none that a seat owns. */
export function placedLast({ effects, kinds }: Layout, line: Line | null): { kind: string; seat: number } | null {
  const put = line?.effects.find(({ kind }) => effects[kind]?.motion === 'put');
  const piece = put && readPiece(String(put.value), kinds);
  const seat = piece ? ownerOf(piece, kinds) : null;
  return piece && seat !== null ? { kind: piece.kind, seat } : null;
}

// Words

/** "freshman", "large pyramid", "stone". */
export function kindWords({ kind: name }: Pick<Piece, 'kind'>, kinds: Kinds): string {
  return kindOf(name, kinds).kind?.name ?? name;
}

/** "freshman", "large": a kind in the list of moves, where every word counts. */
export function shortWords(piece: Pick<Piece, 'kind'>, kinds: Kinds): string {
  return kindWords(piece, kinds).replace(/ pyramid$/, '');
}

/** "red freshman", "large red pyramid", "black stone". */
function colouredWords(piece: Piece, kinds: Kinds, colour: string): string {
  return isUnseen(piece) ? 'hidden piece' : kindWords(piece, kinds).replace(/(?=\S+$)/, colour && `${colour} `);
}

/** "large red pyramid that points north", "blue captain that shows 3". */
export function pieceWords(piece: Piece, kinds: Kinds, seats: Seat[], brief = false): string {
  const colour = typeof piece.colour === 'number' ? colourOf(seats, piece.colour) : piece.colour;
  return colouredWords(piece, kinds, colour) + (brief ? '' : stateWords(piece, kinds));
}

/** "large red", "black stone": a piece in the list of moves and in captions. */
export function briefWords(piece: Piece, kinds: Kinds, seats: Seat[]): string {
  return pieceWords(piece, kinds, seats).replace(/ pyramid\b/, '');
}

/** "your red freshman", "Ann’s large green pyramid"; without the colour if that is the name of the seat. */
export function ownedWords(piece: Piece, kinds: Kinds, seats: Seat[], brief = false): string {
  const seat = ownerOf(piece, kinds);
  if (seat === null) return pieceWords(piece, kinds, seats, brief);
  const colour = typeof piece.colour === 'string' ? piece.colour : colourOf(seats, seat);
  const words = colouredWords(piece, kinds, nameOf(seats, seat).toLowerCase() === colour ? '' : colour);
  return `${whose(seats, seat)} ${words}${brief ? '' : stateWords(piece, kinds)}`;
}

function stateWords({ kind, heading }: Piece, kinds: Kinds): string {
  const { face } = kindOf(kind, kinds);
  if (heading) return ` that points ${headingWords(heading)}`;
  return face ? ` that shows ${face}` : '';
}

/** How a piece lies after it was turned or replaced. */
export function liesWords({ kind: name, heading }: Piece, kinds: Kinds): string {
  const { kind, face } = kindOf(name, kinds);
  if (heading) return `points ${headingWords(heading)}`;
  return kind?.size ? 'stands' : face ? `shows ${face}` : 'comes up';
}

const PIECE = new RegExp(`^(?:(\\d)|(${[...COLOURS, GREY].join('|')})|\\((.*?)\\))(.*)$`);
/** The pieces read so far, by the kinds of their game and their texts. */
const read = new WeakMap<Kinds, Map<string, Piece>>();

/** A piece of a view or an effect: "0F", "0C3", "redM>ne", "0L:red", "0stone" or "(gold)stone". */
export function readPiece(text: string, kinds: Kinds): Piece {
  let known = read.get(kinds);
  if (!known) read.set(kinds, (known = new Map<string, Piece>()));
  let piece = known.get(text);
  if (!piece) known.set(text, (piece = parsed(text, kinds)));
  return piece;
}

function parsed(text: string, kinds: Kinds): Piece {
  const [, seat, known, other, rest = text] = PIECE.exec(text) ?? [];
  const letters = Object.keys(kinds).filter((key) => kinds[key]!.size);
  const [, kind = rest, heading, named] =
    new RegExp(`^(${letters.join('|')})(?:>([^:]+))?(?::(.+))?$`).exec(rest) ?? [];
  const colour = named ?? known ?? other ?? (seat === undefined ? 'clear' : Number(seat));
  return { kind, colour, ...(heading && { heading }) };
}

/** The pieces on a space, from the bottom up. */
export function stackOf({ stacks }: View, space: string, kinds: Kinds): Piece[] {
  return (stacks[space] ?? []).map((text) => readPiece(text, kinds));
}

/** The piles of a pad. */
export function pilesOf(pad: Record<string, number> | undefined, kinds: Kinds): Pile[] {
  return Object.entries(pad ?? {}).map(([text, count]) => ({ ...readPiece(text, kinds), count }));
}
