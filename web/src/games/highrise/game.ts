/** Acts and texts of High Rise. The server does not send hidden pyramids. */

import { counted, list } from '../../app/words';
import type { Colour } from '../../pieces/colours';
import { isSize, SIZE_WORDS, SIZES, type Size } from '../../pieces/solid';
import { layers, type Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import type { Idle } from '../../board/play.svelte';
import { stepsOf, turnSquares, type Corner } from '../../board/turn';
import { destinationWords, sortWays, type Hand, type Legal, type Source } from '../../board/hand';
import type { Keys, Landmarks, Sounds } from '../../board/game-view';
import {
  colourOf,
  effect,
  effects,
  nameOf,
  numberWords,
  pointWords,
  readColour,
  readName,
  standing,
  verb,
  who,
} from '../../board/words';
import type { Account, Layout, Line, Stash, Tower, View, Wire } from './wire';

export type { Wire };

// Pyramids

export function readPyramid(name: string): { seat: number; size: Size; colour: Colour } {
  const [who = '', colour = ''] = name.split(':');
  const { seat, kind } = readName(who, SIZES);
  return { seat, size: kind, colour: readColour(colour) };
}

/** With the mark of its owner, since a seat has pyramids of five colours. */
export function piece(name: string, seats: Seat[]): Piece {
  const { seat, size, colour } = readPyramid(name);
  return { size, colour, mark: colourOf(seats, seat) };
}

/** The visible pyramids of a tower: the known ones that are not under a larger one. */
export function inSight(tower: (string | null)[], seats: Seat[]): Piece[] {
  const known = tower.flatMap((name) => (name === null ? [] : [piece(name, seats)]));
  return layers(known).flatMap((layer) => (layer.hidden ? [] : [layer.piece]));
}

export function left(stash: Stash, size: Size): number {
  return Object.values(stash[size]).reduce((sum, number) => sum + number, 0);
}

/** The pyramids of a size that are left, with the named or the most frequent colour on top. */
export function heap(stash: Stash, size: Size, named: string | null): Colour[] {
  const rank = ([colour, number]: [string, number]) => (colour === named ? Infinity : number);
  const colours = Object.entries(stash[size])
    .reverse()
    .sort((a, b) => rank(a) - rank(b));
  return colours.flatMap(([colour, number]) => Array.from({ length: number }, () => readColour(colour)));
}

export const kinds = SIZE_WORDS;
export const hasSides = true;
export const hasChance = true;

export const keys: Keys = [
  ['s m l', 'take a small, a medium or a large pyramid'],
  ['c', 'name another of its colours'],
  ['n', 'on to the next square (with Shift: back)'],
];

/** More dice are shown in heaps. */
const MAX_SINGLE_DICE = 16;

/** Equal numbers. `left`: those that are not shown on their squares yet. */
export interface Heap {
  number: number;
  count: number;
  left: number;
}

/** The known numbers, smallest first: one by one, or in heaps if there are many. */
export function heaps(numbers: number[], shown: number[]): Heap[] {
  const all = [...new Set(numbers)].map((number) => {
    const count = numbers.filter((other) => other === number).length;
    return { number, count, left: count - shown.filter((other) => other === number).length };
  });
  if (numbers.length > MAX_SINGLE_DICE) return all;
  return all.flatMap(({ number, count, left }) =>
    Array.from({ length: count }, (_, i) => ({ number, count: 1, left: i < left ? 1 : 0 })),
  );
}

/** "The numbers 1, 1, 2 and 6 lie under the towers; nobody knows where." */
export function numbersWords(numbers: number[], shown: number[] = []): string {
  const left = heaps(numbers, shown).flatMap((heap) => Array.from({ length: heap.left }, () => `${heap.number}`));
  if (left.length === 0) return 'All numbers are shown.';
  return left.length === 1
    ? `The number ${left[0]} is still hidden.`
    : `The numbers ${list(left)} lie under the towers; nobody knows where.`;
}

export const landmarks = { reveals: 'the numbers are shown' } satisfies Landmarks<Wire>;

export const sounds: Sounds<Wire> = {
  act: (line) => (effect(line, 'rolls') ? 'roll' : null),
  places: ({ value }) => `land-${readPyramid(value).size}`,
  reveals: 'reveal',
};

// Acts: `L@b2`, or `L:cyan@b2` with a colour

/** The same act with a colour; without one, the rules choose it. */
export function withColour(act: string, colour: string | null): string {
  return colour === null ? act : act.replace('@', `:${colour}@`);
}

/** Acts start from a size, and have the colour that is named for it. */
export function sortActs(legal: string[], named: (size: Source) => string | null): Legal {
  return sortWays(
    legal.map((act) => {
      const [source = '', target = ''] = act.split('@');
      return { source, target, text: withColour(act, named(source)) };
    }),
  );
}

/** For a size that is not left, an act on any square is refused with the reason. */
export function idle({ squares }: Layout, what: Source): Idle {
  return isSize(what) ? { act: `${what}@${squares[0]!.name}` } : { why: 'Choose a size first, then a square.' };
}

/** The size that need not be picked: the only one that is left, or the one that the seat placed last. */
export function given(legal: Legal, last: Size | null): Source | null {
  const [only, ...others] = legal.keys();
  if (only !== undefined && others.length === 0) return only;
  return last !== null && legal.has(last) ? last : null;
}

/** The size and the seat of the pyramid that an act placed. */
export function placed(line: Line | null): { seat: number; size: Size } | null {
  const places = effect(line, 'places');
  return places ? readPyramid(places.value) : null;
}

/** The square that an act placed a pyramid on. */
export function touched(line: Line | null): string[] {
  return effect(line, 'places')?.spaces ?? [];
}

// Rotation

/** The corners of the seats' pads before the board is turned. */
export const CORNERS: Corner[] = ['sw', 'ne'];

export function steps({ squares }: Layout): number {
  return stepsOf(squares);
}

/** The seats face each other. */
export function facing(layout: Layout, seat: number): number {
  return (seat * steps(layout)) / 2;
}

export function turned(layout: Layout, turn: number): Layout {
  return { ...layout, squares: turnSquares(layout.squares, turn) };
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
export function squareWords(hand: Hand, view: View, square: string, seats: Seat[]): string {
  const tower = view.stacks[square];
  const what = tower ? `${towerWords(tower)}, ${stackWords(tower, seats)}` : 'no pyramids';
  const account = view.account?.[square];
  const destination = hand.picked !== null && hand.legal.get(hand.picked)?.has(square) ? ', legal destination' : '';
  return `${square}: ${what}${account ? `, ${accountWords(account, seats)}` : ''}${destination}`;
}

/** "number 4, Ann 5 pips, Ben 3 pips: Ann scores 3 + 4 = 7". */
export function accountWords({ number, pips, owner, points }: Account, seats: Seat[]): string {
  const shares = pips.map((count, seat) => `${nameOf(seats, seat)} ${counted(count, 'pip')}`).join(', ');
  const score =
    owner === null ? 'nobody scores' : `${nameOf(seats, owner)} scores ${pips[1 - owner]} + ${number} = ${points}`;
  return `number ${number}, ${shares}: ${score}`;
}

/** "Ann 6 pips, Ben 2 pips, 1 hidden: Ann leads and would score 2 + the number". */
export function seenWords({ pips, hidden, leader, points }: Tower, seats: Seat[]): string {
  const shares = pips.map((count, seat) => `${nameOf(seats, seat)} ${counted(count, 'pip')}`);
  const score =
    leader === null
      ? 'tied, nobody would score'
      : `${nameOf(seats, leader)} leads and would score ${points} + the number`;
  return `${[...shares, ...(hidden ? [`${hidden} hidden`] : [])].join(', ')}: ${score}`;
}

/** The number of towers that a seat leads by visible pips, and their points without the numbers. */
export function leads(view: View, seat: number): { towers: number; points: number } {
  const led = Object.values(view.towers).filter(({ leader }) => leader === seat);
  return { towers: led.length, points: led.reduce((sum, { points }) => sum + points, 0) };
}

/** "leads 3 towers for 7 points and their numbers". */
export function leadWords({ towers, points }: { towers: number; points: number }): string {
  return towers === 0
    ? 'leads no tower'
    : `leads ${counted(towers, 'tower')} for ${counted(points, 'point')} and ${towers === 1 ? 'its number' : 'their numbers'}`;
}

export function pickWords(hand: Hand, colour: string | null): string {
  if (hand.picked === null || !isSize(hand.picked)) return '';
  const words = [SIZE_WORDS[hand.picked], colour, 'pyramid'].filter(Boolean).join(' ');
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

/** The number of each player's towers, the winner's first (HR-9), or equal points (HR-10). */
export function reason(_: Layout, view: View, seats: Seat[]): string {
  const [winner = 0, another] = view.winners;
  if (another !== undefined) return `Both have ${pointWords(view.scores[winner] ?? 0)}.`;
  const towersOf = (seat: number) => Object.values(view.account ?? {}).filter(({ owner }) => owner === seat).length;
  const [best, count] = [who(seats, winner), towersOf(winner)];
  const loser = who(seats, 1 - winner).replace(/^You$/, 'you');
  const towers = `${numberWords(count)} ${count === 1 ? 'tower' : 'towers'}`;
  return `${best} ${verb(seats, [winner], 'controls')} ${towers}, ${loser} ${numberWords(towersOf(1 - winner))}.`;
}

/** The number of pyramids at the start. */
export function total({ colours, copies }: Layout): number {
  const each = SIZES.reduce((sum, size) => sum + copies[size], 0);
  return colours.flat().length * each;
}

export function say(_: Layout, line: Line, seats: Seat[]): string {
  const places = effect(line, 'places');
  const rolls = effect(line, 'rolls');
  if (rolls) return `The dice show ${list([...rolls.value])}; nobody knows what lies where.`;
  if (!places) return dealWords(line, seats);
  const { seat, size, colour } = readPyramid(places.value);
  return `${nameOf(seats, seat)} places a ${SIZE_WORDS[size]} ${colour} pyramid on ${places.spaces[0]}.`;
}

/** "large on b2", "dice 1 1 2 3 4 4 5 6 6" */
export function brief(_: Layout, line: Line): string {
  const places = effect(line, 'places');
  const rolls = effect(line, 'rolls');
  if (rolls) return `dice ${[...rolls.value].join(' ')}`;
  return places ? `${SIZE_WORDS[readPyramid(places.value).size]} on ${places.spaces[0]}` : 'the numbers are shown';
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
  const towers = layout.squares.flatMap(({ name }) => {
    const tower = view.stacks[name];
    const account = view.account?.[name];
    const what = tower ? `${towerWords(tower)}, ${stackWords(tower, seats)}` : 'no pyramids';
    return tower || account ? [`${name}: ${what}${account ? `, ${accountWords(account, seats)}` : ''}`] : [];
  });
  const stashes = view.stash.map((stash, seat) => `${nameOf(seats, seat)} has ${stashWords(stash)} left.`);
  return [
    standing(view, seats, `Turn ${view.turn + 1} of ${total(layout)}`),
    towers.length ? `Towers: ${towers.join('; ')}.` : `The board of ${layout.cols} by ${layout.rows} is empty.`,
    ...(view.over || view.numbers === null ? [] : [numbersWords(view.numbers)]),
    ...(view.over ? [] : stashes),
  ].join(' ');
}
