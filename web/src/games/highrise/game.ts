/** High Rise in the browser: its fields, its acts as gestures, its words. What is hidden the server does not tell. */

import { counted, list } from '../../app/words';
import type { Colour } from '../../pieces/colours';
import { SIZE_WORDS, SIZES, type Size } from '../../pieces/solid';
import { layers, type Piece } from '../../pieces/stack';
import type { Layout, Line, Seat, View } from '../../wire';
import { destinationWords, sortWays, type Hand, type Legal, type Source } from '../../board/hand';
import type { Space } from '../../board/spaces';
import type { Keys } from '../../board/game-view';
import { colourOf, effect, effects, nameOf, standing } from '../../board/words';

export interface HighRiseLayout {
  rows: number;
  cols: number;
  squares: Space[];
  /** By seat, the colours of its pyramids. */
  colours: Colour[][];
  /** How many pyramids of a size a seat has in each of its colours. */
  copies: Record<Size, number>;
}

/** What a tower brings in the end, and to whom. */
export interface Account {
  number: number;
  pips: [number, number];
  /** Null where the tower is tied. */
  owner: number | null;
  points: number;
}

/** How many of each colour are left, by size. */
export type Stash = Record<Size, Record<string, number>>;

export interface HighRiseView extends View {
  /** Pyramids as "0L:red" from bottom to top, null where one is hidden; squares with towers only. */
  stacks: Record<string, (string | null)[]>;
  stash: Stash[];
  turn: number;
  /** Once the game is over. */
  account: Record<string, Account> | null;
}

export function readLayout(layout: Layout): HighRiseLayout {
  return layout as unknown as HighRiseLayout;
}

export function readView(view: View): HighRiseView {
  return view as HighRiseView;
}

// Pyramids

export function readPyramid(name: string): { seat: number; size: Size; colour: Colour } {
  const [who = '', colour = ''] = name.split(':');
  return { seat: Number(who.slice(0, -1)), size: who.slice(-1) as Size, colour: colour as Colour };
}

/** It bears the mark of its owner: a seat has pyramids of five colours. */
export function piece(name: string, seats: Seat[]): Piece {
  const { seat, size, colour } = readPyramid(name);
  return { size, colour, mark: colourOf(seats, seat) };
}

/** The pyramids of a tower that are in sight: not told of, or told of but under a larger one, the others are not. */
export function inSight(tower: (string | null)[], seats: Seat[]): Piece[] {
  const told = tower.flatMap((name) => (name === null ? [] : [piece(name, seats)]));
  return layers(told).flatMap((layer) => (layer.hidden ? [] : [layer.piece]));
}

export function left(stash: Stash, size: Size): number {
  return Object.values(stash[size]).reduce((sum, number) => sum + number, 0);
}

/** The pyramids of a size that are left, the colour with most of them on top, or the one that is named. */
export function heap(stash: Stash, size: Size, named: string | null): Colour[] {
  const rank = ([colour, number]: [string, number]) => (colour === named ? Infinity : number);
  const colours = Object.entries(stash[size])
    .reverse()
    .sort((a, b) => rank(a) - rank(b));
  return colours.flatMap(([colour, number]) => Array.from({ length: number }, () => colour as Colour));
}

export const KEYS: Keys = [
  ['s m l', 'take a small, a medium or a large pyramid'],
  ['c', 'name another of its colours'],
  ['n', 'on to the next square (with Shift: back)'],
];

/** What is worth a jump when the game is watched again. */
export const LANDMARKS = { reveals: 'the numbers are shown' };

// Acts: `L@b2`, or with a colour named `L:cyan@b2`

/** The same act with a colour named; where none is, the rules choose it. */
export function withColour(act: string, colour: string | null): string {
  return colour === null ? act : act.replace('@', `:${colour}@`);
}

/** Acts start from a size, in the colour that is named for it. */
export function sortActs(legal: string[], named: (size: Source) => string | null): Legal {
  return sortWays(
    legal.map((act) => {
      const [source = '', target = ''] = act.split('@');
      return { source, target, text: withColour(act, named(source)) };
    }),
  );
}

/** The last size that is left need not be picked. */
export function given(legal: Legal): Source | null {
  const [only, ...others] = legal.keys();
  return only !== undefined && others.length === 0 ? only : null;
}

/** The square that the line's act placed a pyramid on. */
export function touched(line: Line | null): string[] {
  return effect(line, 'places')?.spaces ?? [];
}

// Words

function ownerWords(name: string, seats: Seat[]): string {
  const { seat, size, colour } = readPyramid(name);
  return `${nameOf(seats, seat)}'s ${SIZE_WORDS[size]} ${colour}`;
}

/** "3 pyramids, 1 hidden". */
export function towerWords(tower: (string | null)[]): string {
  const hidden = tower.filter((name) => name === null).length;
  return counted(tower.length, 'pyramid') + (hidden ? `, ${hidden} hidden` : '');
}

/** "Ann's large red on 1 hidden on Ben's small cyan": from top to bottom. */
function stackWords(tower: (string | null)[], seats: Seat[]): string {
  return [...tower]
    .reverse()
    .map((name) => (name === null ? 'a hidden one' : ownerWords(name, seats)))
    .join(' on ');
}

/** "b2: 2 pyramids, Ann's large red on Ben's small cyan, legal destination". */
export function squareWords(hand: Hand, view: HighRiseView, square: string, seats: Seat[]): string {
  const tower = view.stacks[square];
  const what = tower ? `${towerWords(tower)}, ${stackWords(tower, seats)}` : 'no pyramids';
  const account = view.account?.[square];
  const ends = hand.picked !== null && hand.legal.get(hand.picked)?.has(square) ? ', legal destination' : '';
  return `${square}: ${what}${account ? `, ${accountWords(account, seats)}` : ''}${ends}`;
}

/** "number 4, Ann 5 pips, Ben 3 pips: Ann scores 3 + 4 = 7". */
export function accountWords({ number, pips, owner, points }: Account, seats: Seat[]): string {
  const shares = pips.map((one, seat) => `${nameOf(seats, seat)} ${counted(one, 'pip')}`).join(', ');
  const score =
    owner === null ? 'nobody scores' : `${nameOf(seats, owner)} scores ${pips[1 - owner]} + ${number} = ${points}`;
  return `number ${number}, ${shares}: ${score}`;
}

export function pickWords(hand: Hand, colour: string | null): string {
  if (hand.picked === null) return '';
  const words = [SIZE_WORDS[hand.picked as Size], colour, 'pyramid'].filter(Boolean).join(' ');
  return `Picked a ${words}: ${destinationWords(hand)}.`;
}

export function stashWords(stash: Stash): string {
  const sizes = SIZES.filter((size) => left(stash, size) > 0);
  const words = sizes.map((size) => {
    const colours = Object.entries(stash[size]).filter(([, number]) => number > 0);
    return `${left(stash, size)} ${SIZE_WORDS[size]} (${colours.map(([colour, n]) => `${n} ${colour}`).join(', ')})`;
  });
  return words.length ? list(words) : 'no pyramids';
}

/** How many pyramids both seats began with. */
export function total({ colours, copies }: HighRiseLayout): number {
  const each = SIZES.reduce((sum, size) => sum + copies[size], 0);
  return colours.flat().length * each;
}

export function say(_: Layout, line: Line, seats: Seat[]): string {
  const places = effect(line, 'places');
  if (!places) return dealWords(line, seats);
  const { seat, size, colour } = readPyramid(String(places.value));
  return `${nameOf(seats, seat)} places a ${SIZE_WORDS[size]} ${colour} pyramid on ${places.spaces[0]}.`;
}

function dealWords(line: Line, seats: Seat[]): string {
  const numbers = effects(line, 'reveals').map(({ spaces, value }) => `${spaces[0]} ${value}`);
  const controlled = seats.map(({ seat, name }) => {
    const squares = effects(line, 'controls').flatMap(({ spaces, value }) => (value === seat ? spaces : []));
    return `${name} controls ${list(squares) || 'nothing'}.`;
  });
  return [`The numbers are shown: ${numbers.join(', ')}.`, ...controlled].join(' ');
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const board = readLayout(layout);
  const now = readView(view);
  const towers = board.squares.flatMap(({ name }) => {
    const tower = now.stacks[name];
    const account = now.account?.[name];
    const what = tower ? `${towerWords(tower)}, ${stackWords(tower, seats)}` : 'no pyramids';
    return tower || account ? [`${name}: ${what}${account ? `, ${accountWords(account, seats)}` : ''}`] : [];
  });
  const stashes = now.stash.map((stash, seat) => `${nameOf(seats, seat)} has ${stashWords(stash)} left.`);
  return [
    standing(view, seats, `Turn ${now.turn + 1} of ${total(board)}`),
    towers.length ? `Towers: ${towers.join('; ')}.` : `The board of ${board.cols} by ${board.rows} is empty.`,
    ...(now.over ? [] : stashes),
  ].join(' ');
}
