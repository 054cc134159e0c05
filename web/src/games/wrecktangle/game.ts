/** Acts and texts of WreckTangle. The server decides which acts are legal. */

import { counted, list } from '../../app/words';
import type { Size } from '../../pieces/solid';
import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import type { Idle } from '../../board/play.svelte';
import { turnSquares, turnWay, type Corner } from '../../board/turn';
import { destinationWords, role, sortWays, type Hand, type Legal, type Role, type Source } from '../../board/hand';
import type { Keys, Landmarks, Sounds } from '../../board/game-view';
import {
  colourOf,
  effect,
  effects,
  everyone,
  nameOf,
  numberWords,
  owned,
  readName,
  standing,
  verb,
  who,
} from '../../board/words';
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
/** What a rectangle captures by the side of the coin: "Heads: captures inside", in short "Heads: inside". */
export const COIN_WORDS: Record<CoinSide, { side: string; captures: string; where: string }> = {
  heads: { side: 'Heads', captures: 'captures', where: 'inside' },
  tails: { side: 'Tails', captures: 'captures on the', where: 'edges' },
};
/** The number of losses that puts a player out. */
export const MAX_LOSSES = 3;

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

const A_KIND: Record<Kind, string> = { P: 'a pawn', D: 'a drone', Q: 'a queen' };

/** "a queen and 2 pawns". */
export function kindsWords(names: string[]): string {
  const kinds = names.map((name) => readPyramid(name).kind);
  const words = [...KINDS].reverse().map((kind) => {
    const { length } = kinds.filter((other) => other === kind);
    return length > 1 ? `${length} ${KIND_WORDS[kind]}s` : length ? A_KIND[kind] : '';
  });
  return list(words.filter((word) => word !== ''));
}

/** "b3–g5"; a tilted one by all its corners. */
export function rectangleName(corners: string[]): string {
  const [first = '', second = ''] = corners;
  return first[0] === second[0] ? `${first}–${corners.at(-1)}` : corners.join(' ');
}

export const kinds = ROLL_WORDS;
export const hasSides = true;
export const hasChance = true;

export const keys: Keys = [
  ['n', 'on to the next pyramid that can move, or to the next destination (with Shift: back)'],
  ['e', 'end the turn'],
  ['h', 'turn the help for learners on or off'],
];

export const landmarks = { forms: 'rectangle', captures: 'capture', out: 'out' } satisfies Landmarks<Wire>;

export const sounds: Sounds<Wire> = {
  act: (line) => (rollOf(line) ? 'roll' : null),
  moves: ({ value }) => `land-${SIZE_OF[readPyramid(value).kind]}`,
  swaps: ({ value }) => `land-${SIZE_OF[readPyramid(value.split(' ')[0] ?? '').kind]}`,
  forms: 'reveal',
  captures: 'capture',
  removes: 'capture',
  coin: 'coin',
};

// Acts: `d1-d3` a normal move, `~d8-d7` a die move, `~d1*e8` a swap, `end`

export const END = 'end';

export interface Move {
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
      const forward = { source: move.from, target: move.to, text };
      return move.swap ? [forward, { source: move.to, target: move.from, text }] : [forward];
    }),
  );
}

export interface WreckHand extends Hand {
  view: View;
  acting: number | null;
}

/** Own pyramids can be picked, and others that the die may move. */
export function isPickable({ view, acting, legal }: WreckHand, square: string): boolean {
  const name = view.pieces[square];
  return name !== undefined && acting !== null && (readPyramid(name).seat === acting || legal.has(square));
}

/** An illegal act from square to square, in its most likely meaning. */
export function actText(view: View, source: Source, target: string): string {
  const swaps = view.die_unused && (view.roll === 'swap' || view.roll === 'wild');
  if (swaps && target in view.pieces) return `~${[source, target].sort().join('*')}`;
  const moved = view.pieces[source];
  const mine = moved !== undefined && readPyramid(moved).seat === view.turn_of;
  return `${view.normal_owed && mine ? '' : '~'}${source}-${target}`;
}

/** While the normal move is owed, the server says whose pyramid it needs. */
export function idle(view: View, square: string): Idle {
  if (view.normal_owed) return { act: `${square}-${square}` };
  return { why: `The die can’t move anything from ${square} now.` };
}

export function wreckRole(hand: WreckHand, square: string): Role | null {
  return role(hand, square, square in hand.view.pieces);
}

/** Whether all acts on a square are die moves. */
export function isByDie({ legal, picked }: Hand, square: string): boolean {
  const texts = picked === null ? [...(legal.get(square)?.values() ?? [])] : [legal.get(picked)?.get(square) ?? ''];
  return texts.length > 0 && texts.every((text) => text.startsWith('~'));
}

/** The squares that a move started and ended on. */
export function touched(line: Line | null): string[] {
  const move = line && readMove(line.text);
  return move ? [move.from, move.to] : [];
}

// Rotation

/** The corners of the seats' pads before the board is turned, near the home rows: clockwise around the table. */
const CORNERS: Record<number, Corner[]> = {
  2: ['sw', 'ne'],
  3: ['sw', 'nw', 'ne'],
  4: ['sw', 'nw', 'ne', 'se'],
};

export function corners({ seats }: Layout): Corner[] {
  return CORNERS[seats.length]!;
}

export function steps(): number {
  return 4;
}

export function facing({ seats }: Layout, seat: number): number {
  const { away } = seats[seat]!;
  return [0, 1, 2, 3].find((turn) => turnWay(away, turn)[1] === 1)!;
}

export function turned({ squares, seats }: Layout, turn: number): Layout {
  return {
    squares: turnSquares(squares, turn),
    seats: seats.map(({ home, away }) => ({ home, away: turnWay(away, turn) })),
  };
}

// Words

/** "c3: blue drone, can move by the die"; `help`: further words for learners. */
export function squareWords(hand: WreckHand, square: Square, seats: Seat[], help: string[] = []): string {
  const name = hand.view.pieces[square.name];
  const home = square.home === null ? [] : [`${colourOf(seats, square.home)} home row`];
  const what = [...home, name ? pyramidWords(name, seats) : 'empty', ...roleWords(hand, square.name), ...help];
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

/** A part of a turn, the normal move or the die move, and its state. */
export interface Part {
  die: boolean;
  name: string;
  now: 'to do' | 'not possible' | 'optional' | 'done';
}

/** The parts of this turn; none before the roll and after the end. `mine`: it is the reader's turn. */
export function partsOf(view: View, mine = false): Part[] {
  if (view.over || view.roll === null) return [];
  const normal = view.normal_owed ? (view.normal_possible ? 'to do' : 'not possible') : 'done';
  return [
    { die: false, name: mine ? 'your move' : 'move', now: normal },
    { die: true, name: 'die move', now: view.die_unused ? 'optional' : 'done' },
  ];
}

/** The state of the turn: "move to do, die move optional". */
export function phaseWords(view: View): string {
  if (view.over) return '';
  if (view.roll === null) return 'rolling the die';
  return partsOf(view)
    .map(({ name, now }) => `${name} ${now}`)
    .join(', ');
}

export function lossWords(view: View, seat: number): string {
  const lost = `${view.lost[seat]} of ${MAX_LOSSES} lost`;
  return view.out.includes(seat) ? 'out' : lost;
}

/** The results of an act's rectangles: "rectangle b3–e6 captures a queen". Empty if it formed none. */
export function rectangleWords(line: Line | null): string {
  const forms = effects(line, 'forms').map(({ spaces, value }) => ({ name: rectangleName(spaces), value }));
  const counting = forms.filter(({ value }) => value === 'resolved').map(({ name }) => name);
  const several = counting.length > 1;
  const prey = kindsWords(effects(line, 'captures').map(({ value }) => value)) || 'nothing';
  const captures = `rectangle${several ? 's' : ''} ${list(counting)} capture${several ? '' : 's'} ${prey}`;
  const others = forms.flatMap(({ name, value }) => {
    if (value === 'home-row') return [`rectangle ${name} has a corner in a home row and captures nothing`];
    return value === 'repeated' ? [`rectangle ${name} captured last and does not count again`] : [];
  });
  return [...(counting.length ? [captures] : []), ...others].join('; ');
}

export function say(_: Layout, line: Line, seats: Seat[]): string {
  const roll = rollOf(line);
  const words = roll ? [`The die shows ${ROLL_WORDS[roll]}`] : actWords(line, seats);
  return `${[...words, ...endWords(line, seats, roll !== null)].join('; ')}.`;
}

/** "b1–b3", "die d8–d7", "swaps e1 and e2, captures a queen"; null for the end of a turn. A roll is shown as a sign. */
export function brief(_: Layout, line: Line, seats: Seat[]): string | null {
  const roll = rollOf(line);
  if (roll) return effect(line, 'turn') ? 'no move' : '';
  const move = readMove(line.text);
  if (!move) return null;
  const prey = kindsWords(effects(line, 'captures').map(({ value }) => value));
  return [
    move.swap ? `swaps ${move.from} and ${move.to}` : `${move.die ? 'die ' : ''}${move.from}–${move.to}`,
    ...(prey ? [`captures ${prey}`] : []),
    ...effects(line, 'out').map(({ value }) => `${who(seats, value)} ${verb(seats, [value], 'is')} out`),
  ].join(', ');
}

function actWords(line: Line, seats: Seat[]): string[] {
  const name = nameOf(seats, line.seat);
  const move = readMove(line.text);
  if (!move) return [`${name} ends the turn`];
  const rectangles = rectangleWords(line);
  const coin = effect(line, 'coin')?.value;
  return [
    `${name} ${motionWords(line, seats)}${move.die ? ' by the die' : ''}`,
    ...(rectangles ? [rectangles] : []),
    ...captureWords(effects(line, 'captures'), seats),
    ...(coin ? [`the coin turns to ${coin}`] : []),
    ...effects(line, 'out').map(({ value }) => `${nameOf(seats, value)} is out`),
  ];
}

/** "moves Ben's blue pawn from d1 to d3"; the player's own pieces without the name. */
function motionWords(line: Line, seats: Seat[]): string {
  const moved = effect(line, 'moves') ?? effect(line, 'swaps');
  const [from, to] = moved?.spaces ?? [];
  const [first = '', second = ''] = moved?.value.split(' ') ?? [];
  const words = (name: string) => {
    const { seat, kind } = readPyramid(name);
    return seat === line.seat
      ? `the ${colourOf(seats, seat)} ${KIND_WORDS[kind]}`
      : owned(seats, seat, '', KIND_WORDS[kind]);
  };
  return moved?.kind === 'swaps'
    ? `swaps ${words(first)} on ${from} and ${words(second)} on ${to}`
    : `moves ${words(first)} from ${from} to ${to}`;
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

/** The players with too many losses (WT-16, WT-17), or the limit of turns (WT-18). */
export function reason(_: Layout, view: View, seats: Seat[]): string {
  if (view.ended_by === 'WT-18') return `Nobody won in ${counted(view.turn, 'turn')}.`;
  const each = view.out.length > 1 ? ' each' : '';
  return `${everyone(seats, view.out)} ${verb(seats, view.out, 'has')} lost ${numberWords(MAX_LOSSES)} pyramids${each}.`;
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const players = seats.map(({ seat }) => {
    const pieces = layout.squares.flatMap(({ name: square }) => {
      const name = view.pieces[square];
      return name && readPyramid(name).seat === seat ? [`${kindWords(name)} ${square}`] : [];
    });
    const lost = view.out.includes(seat) ? 'is out' : `has lost ${view.lost[seat]}`;
    return `${nameOf(seats, seat)} (${colourOf(seats, seat)}) ${lost}: ${list(pieces) || 'nothing on the board'}.`;
  });
  return [turnWords(view, seats), `Coin: ${view.coin}.`, ...players].join(' ');
}

function turnWords(view: View, seats: Seat[]): string {
  const limit = view.turn_limit ? ` of at most ${view.turn_limit}` : '';
  if (view.over) return standing(view, seats, '');
  const roll = view.roll ? `the die shows ${ROLL_WORDS[view.roll]}, ` : '';
  return `Turn ${view.turn + 1}${limit}, ${nameOf(seats, view.turn_of)}'s: ${roll}${phaseWords(view)}.`;
}
