/** WreckTangle in the browser: its acts as gestures, its words. Which acts are legal the server says. */

import { list } from '../../app/words';
import type { Size } from '../../pieces/solid';
import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import { destinationWords, role, sortWays, type Hand, type Legal, type Role, type Source } from '../../board/hand';
import type { Keys, Landmarks } from '../../board/game-view';
import { colourOf, effect, effects, nameOf, owned, readName, standing } from '../../board/words';
import type { Captures, CoinSide, Layout, Line, Roll, Square, View, Wire } from './wire';

export type { Wire };

export const ROLLS: readonly Roll[] = ['away', 'toward', 'diag-away', 'diag-toward', 'swap', 'wild'];
export const ROLL_WORDS: Record<Roll, string> = {
  away: 'away',
  toward: 'toward',
  'diag-away': 'diagonally away',
  'diag-toward': 'diagonally toward',
  swap: 'swap',
  wild: 'wild',
};
/** What a rectangle takes by the side of the coin. */
export const COIN_WORDS: Record<CoinSide, string> = { heads: 'Heads: inside', tails: 'Tails: sides' };
/** So many pyramids lost put a player out. */
export const LOSSES = 3;

// Pyramids

type Kind = 'P' | 'D' | 'Q';

const KINDS: readonly Kind[] = ['P', 'D', 'Q'];
const SIZE_OF: Record<Kind, Size> = { P: 'S', D: 'M', Q: 'L' };
const KIND_WORDS: Record<Kind, string> = { P: 'pawn', D: 'drone', Q: 'queen' };

export function readPyramid(name: string): { seat: number; kind: Kind } {
  return readName(name, KINDS);
}

export function piece(name: string, seats: Seat[]): Piece {
  const { seat, kind } = readPyramid(name);
  return { size: SIZE_OF[kind], colour: colourOf(seats, seat) };
}

export function kindWords(name: string): string {
  return KIND_WORDS[readPyramid(name).kind];
}

export const KEYS: Keys = [
  ['n', 'on to the next pyramid that can move, or to the next destination (with Shift: back)'],
  ['e', 'end the turn'],
];

/** What is worth a jump when the game is watched again. */
export const LANDMARKS = { forms: 'rectangle', captures: 'capture', out: 'out' } satisfies Landmarks<Wire>;

// Acts: `d1-d3` a normal move, `~d8-d7` a die move, `~d1*e8` a swap, `end`

export const END = 'end';

export interface Move {
  /** By the die. */
  die: boolean;
  swap: boolean;
  from: string;
  to: string;
}

export function readMove(text: string): Move | null {
  const parts = /^(~?)([a-h][1-8])([-*])([a-h][1-8])$/.exec(text);
  return parts && { die: parts[1] === '~', swap: parts[3] === '*', from: parts[2]!, to: parts[4]! };
}

/** The face that a roll shows. */
export function rollOf(line: Line | null): Roll | null {
  const face = /^die:(.*)$/.exec(line?.text ?? '')?.[1];
  return ROLLS.find((roll) => roll === face) ?? null;
}

/** A swap may start from either of its two squares. */
export function sortActs(legal: string[]): Legal {
  return sortWays(
    legal.flatMap((text) => {
      const move = readMove(text);
      if (!move) return [];
      const way = { source: move.from, target: move.to, text };
      return move.swap ? [way, { source: move.to, target: move.from, text }] : [way];
    }),
  );
}

/** What a person at the board has before them. */
export interface WreckHand extends Hand {
  view: View;
  acting: number | null;
}

/** One's own pyramids may be picked, and whatever the die may move. */
export function isPickable({ view, acting, legal }: WreckHand, square: string): boolean {
  const name = view.pieces[square];
  return name !== undefined && acting !== null && (readPyramid(name).seat === acting || legal.has(square));
}

/** An act from square to square that is not legal, as it was most likely meant. */
export function actText(view: View, source: Source, target: string): string {
  const swaps = view.die_unused && (view.roll === 'swap' || view.roll === 'wild');
  if (swaps && target in view.pieces) return `~${[source, target].sort().join('*')}`;
  const moved = view.pieces[source];
  const mine = moved !== undefined && readPyramid(moved).seat === view.turn_of;
  return `${view.normal_owed && mine ? '' : '~'}${source}-${target}`;
}

export function wreckRole(hand: WreckHand, square: string): Role | null {
  return role(hand, square, square in hand.view.pieces);
}

/** Whether what can be done on this square is done by the die alone. */
export function isByDie({ legal, picked }: Hand, square: string): boolean {
  const texts = picked === null ? [...(legal.get(square)?.values() ?? [])] : [legal.get(picked)?.get(square) ?? ''];
  return texts.length > 0 && texts.every((text) => text.startsWith('~'));
}

/** The squares that the line's move led from and to. */
export function touched(line: Line | null): string[] {
  const move = line && readMove(line.text);
  return move ? [move.from, move.to] : [];
}

// Words

/** "c3: blue drone, can move by the die". */
export function squareWords(hand: WreckHand, square: Square, seats: Seat[]): string {
  const name = hand.view.pieces[square.name];
  const home = square.home === null ? [] : [`${colourOf(seats, square.home)} home row`];
  const what = [...home, name ? pyramidWords(name, seats) : 'empty', ...roleWords(hand, square.name)];
  return `${square.name}: ${what.join(', ')}`;
}

function pyramidWords(name: string, seats: Seat[]): string {
  return `${colourOf(seats, readPyramid(name).seat)} ${kindWords(name)}`;
}

function roleWords(hand: WreckHand, square: string): string[] {
  const byDie = isByDie(hand, square) ? ' by the die' : '';
  switch (wreckRole(hand, square)) {
    case 'movable':
      return [`can move${byDie}`];
    case 'picked':
      return ['picked up'];
    case 'free':
      return [`legal destination${byDie}`];
    case 'cover':
      return ['can change places'];
    default:
      return [];
  }
}

export function pickWords(hand: WreckHand, seats: Seat[]): string {
  const name = hand.picked === null ? undefined : hand.view.pieces[hand.picked];
  return name === undefined
    ? ''
    : `Picked the ${pyramidWords(name, seats)} on ${hand.picked}: ${destinationWords(hand)}.`;
}

/** A part of a turn: the normal move or the die move, and how it stands. */
export interface Part {
  die: boolean;
  name: string;
  now: 'owed' | 'impossible' | 'open' | 'made';
}

/** The parts of this turn; none before the roll and after the end. */
export function partsOf(view: View): Part[] {
  if (view.over || view.roll === null) return [];
  const normal = view.normal_owed ? (view.normal_possible ? 'owed' : 'impossible') : 'made';
  return [
    { die: false, name: 'normal move', now: normal },
    { die: true, name: 'die move', now: view.die_unused ? 'open' : 'made' },
  ];
}

/** What is still to do in this turn: "normal move owed, die move open". */
export function phaseWords(view: View): string {
  if (view.over) return '';
  if (view.roll === null) return 'the die is rolled';
  return partsOf(view)
    .map(({ name, now }) => `${name} ${now}`)
    .join(', ');
}

export function lossWords(view: View, seat: number): string {
  const lost = `${view.lost[seat]} of ${LOSSES} lost`;
  return view.out.includes(seat) ? 'out' : lost;
}

/** What the rectangles of a line's act came to: "b3 b6 e3 e6 captures 2". Empty where it formed none. */
export function rectangleWords(line: Line | null): string {
  const captured = effects(line, 'captures').length;
  return effects(line, 'forms')
    .map(({ spaces, value }) => {
      const name = spaces.join(' ');
      if (value === 'home-row') return `${name} has a corner in a home row and does not count`;
      if (value === 'repeated') return `${name} captured last and does not count again`;
      return `${name} captures ${captured || 'nothing'}`;
    })
    .join('; ');
}

export function say(_: Layout, line: Line, seats: Seat[]): string {
  const roll = rollOf(line);
  const words = roll ? [`The die shows ${ROLL_WORDS[roll]}`] : actWords(line, seats);
  return `${[...words, ...endWords(line, seats, roll !== null)].join('; ')}.`;
}

function actWords(line: Line, seats: Seat[]): string[] {
  const name = nameOf(seats, line.seat);
  const move = readMove(line.text);
  if (!move) return [`${name} ends the turn`];
  const rectangles = rectangleWords(line);
  const coin = effect(line, 'coin')?.value;
  return [
    `${name} ${motionWords(line, seats)}${move.die ? ' by the die' : ''}`,
    ...(rectangles ? [`the rectangle ${rectangles}`] : []),
    ...captureWords(effects(line, 'captures'), seats),
    ...(coin ? [`the coin turns to ${coin}`] : []),
    ...effects(line, 'out').map(({ value }) => `${nameOf(seats, value)} is out`),
  ];
}

/** "moves Ben's blue pawn from d1 to d3"; one's own without the name. */
function motionWords(line: Line, seats: Seat[]): string {
  const moved = effect(line, 'moves') ?? effect(line, 'swaps');
  const [from, to] = moved?.spaces ?? [];
  const [one = '', other = ''] = moved?.value.split(' ') ?? [];
  const words = (name: string) => {
    const { seat, kind } = readPyramid(name);
    return seat === line.seat
      ? `the ${colourOf(seats, seat)} ${KIND_WORDS[kind]}`
      : owned(seats, seat, '', KIND_WORDS[kind]);
  };
  return moved?.kind === 'swaps'
    ? `swaps ${words(one)} on ${from} and ${words(other)} on ${to}`
    : `moves ${words(one)} from ${from} to ${to}`;
}

function captureWords(captures: Captures[], seats: Seat[]): string[] {
  const prey = captures.map(({ spaces, value }) => {
    const { seat, kind } = readPyramid(value);
    return `${owned(seats, seat, '', KIND_WORDS[kind])} on ${spaces[0]}`;
  });
  return prey.length ? [`${list(prey)} ${prey.length > 1 ? 'are' : 'is'} captured`] : [];
}

function endWords(line: Line, seats: Seat[], rolled: boolean): string[] {
  if (effect(line, 'draw')) return ['the game is drawn'];
  const turn = effect(line, 'turn');
  return turn && rolled ? [`nothing can move, and it is ${nameOf(seats, turn.value)}'s turn`] : [];
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const ours = seats.map(({ seat }) => {
    const names = layout.squares.flatMap(({ name }) => {
      const one = view.pieces[name];
      return one && readPyramid(one).seat === seat ? [`${kindWords(one)} ${name}`] : [];
    });
    const lost = view.out.includes(seat) ? 'is out' : `has lost ${view.lost[seat]}`;
    return `${nameOf(seats, seat)} (${colourOf(seats, seat)}) ${lost}: ${list(names) || 'nothing on the board'}.`;
  });
  return [turnWords(view, seats), `Coin: ${view.coin}.`, ...ours].join(' ');
}

function turnWords(view: View, seats: Seat[]): string {
  const limit = view.turn_limit ? ` of at most ${view.turn_limit}` : '';
  if (view.over) return standing(view, seats, '');
  const roll = view.roll ? `the die shows ${ROLL_WORDS[view.roll]}, ` : '';
  return `Turn ${view.turn + 1}${limit}, ${nameOf(seats, view.turn_of)}'s: ${roll}${phaseWords(view)}.`;
}
