/** Acts and texts of Who's On The Squad?. The server decides which acts are legal. */

import { list } from '../../app/words';
import type { Size } from '../../pieces/solid';
import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import type { Idle } from '../../board/play.svelte';
import { quartersFrom, turnSquares, type Corner } from '../../board/turn';
import { destinationWords, role, type Hand, type Legal, type Role, type Source } from '../../board/hand';
import type { Keys, Landmarks, Sounds } from '../../board/game-view';
import {
  capital,
  colourOf,
  effect,
  effects,
  everyone,
  nameOf,
  owned,
  readName,
  standing,
  verb,
  who,
  whose,
} from '../../board/words';
import type { Captain, CaptainPlaced, Formation, Kind, Layout, Line, Stunt, View, Wire } from './wire';

export type { Wire };

// Friends and captains

export const KINDS: readonly Kind[] = ['F', 'S', 'J'];
export const SIZE_OF: Record<Kind, Size> = { F: 'S', S: 'M', J: 'L' };
export const KIND_WORDS: Record<Kind, string> = { F: 'freshman', S: 'sophomore', J: 'junior' };
const PLURALS: Record<Kind, string> = { F: 'freshmen', S: 'sophomores', J: 'juniors' };
const CAPTAIN = 'C';
/** Words for the pieces that acts place. */
export const kinds: Record<string, string> = { ...KIND_WORDS, [CAPTAIN]: 'captain' };

export function isKind(text: string): text is Kind {
  return (KINDS as readonly string[]).includes(text);
}

function readFriend(name: string): { seat: number; kind: Kind } {
  return readName(name, KINDS);
}

export function piece(name: string, seats: Seat[]): Piece {
  const { seat, kind } = readFriend(name);
  return { size: SIZE_OF[kind], colour: colourOf(seats, seat) };
}

export function captainOn(view: View, square: string): Captain | undefined {
  return view.captains.find((captain) => captain.square === square);
}

function isTaken(view: View, square: string): boolean {
  return square in view.friends || captainOn(view, square) !== undefined;
}

export const hasSides = true;
export const hasChance = false;

export const keys: Keys = [
  ['f s j', 'take a freshman, a sophomore or a junior'],
  ['n', 'on to the next destination (with Shift: back)'],
];

export const landmarks = { stunt: 'stunt', fall: 'fall' } satisfies Landmarks<Wire>;

export const sounds: Sounds<Wire> = {
  captain: 'land-M',
  formation: ({ value }) => `land-${SIZE_OF[readFriend(value).kind]}`,
  stunt: 'leap',
  fall: 'capture',
};

// Acts: `C@a1`, `F@b1`, `S@b2`, `J@c3`

export function actText(source: Source, square: string): string {
  return `${source}@${square}`;
}

/** A captain need not be picked: nothing else can be placed then. */
export function given(legal: Legal): Source | null {
  return legal.has(CAPTAIN) ? CAPTAIN : null;
}

/** The act is on any free square: a kind without legal acts can't be placed anywhere. */
export function idle({ squares }: Layout, view: View, what: Source): Idle {
  if (!isKind(what)) return { why: 'Choose a friend first, then a square.' };
  const free = squares.find(({ name }) => !isTaken(view, name));
  return { act: actText(what, free?.name ?? squares[0]!.name) };
}

export function squadRole(hand: Hand, view: View, square: string): Role | null {
  return role(hand, square, isTaken(view, square));
}

/** "1C3": the seat of the captain that stunted, and the number that it shows now. */
export function readStunt({ value }: Stunt): { seat: number; face: number } {
  const [seat, face] = value.split(CAPTAIN);
  return { seat: Number(seat), face: Number(face) };
}

/** The friend or the captain that an act placed. */
export function placedBy(line: Line | null): Formation | CaptainPlaced | undefined {
  return effect(line, 'formation') ?? effect(line, 'captain');
}

export function touched(line: Line | null): string[] {
  return placedBy(line)?.spaces ?? [];
}

// Rotation

/** The corners of the seats' pads before the board is turned: counter-clockwise around the table. */
const CORNERS: Record<number, Corner[]> = {
  1: ['sw'],
  2: ['sw', 'ne'],
  3: ['sw', 'se', 'ne'],
  4: ['sw', 'se', 'ne', 'nw'],
};

export function corners({ players }: Layout): Corner[] {
  return CORNERS[players]!;
}

export function steps(): number {
  return 4;
}

export function facing(layout: Layout, seat: number): number {
  return quartersFrom(corners(layout)[seat]!);
}

export function turned(layout: Layout, turn: number): Layout {
  return { ...layout, squares: turnSquares(layout.squares, turn) };
}

// Words

/** "b2: sophomore red, legal destination". */
export function squareWords(hand: Hand, view: View, square: string, seats: Seat[]): string {
  const friend = view.friends[square];
  const captain = captainOn(view, square);
  const what = friend
    ? friendWords(friend, seats)
    : captain
      ? `${colourOf(seats, captain.seat)} captain, shows ${captain.face}`
      : 'empty';
  const destination = squadRole(hand, view, square) ? ', legal destination' : '';
  return `${square}: ${what}${destination}`;
}

function friendWords(name: string, seats: Seat[]): string {
  const { seat, kind } = readFriend(name);
  return `${colourOf(seats, seat)} ${KIND_WORDS[kind]}`;
}

export function pickWords(hand: Hand): string {
  const { picked } = hand;
  if (picked === null) return '';
  if (!isKind(picked)) return `Place your captain: ${destinationWords(hand)}.`;
  return `Picked a ${KIND_WORDS[picked]}: ${destinationWords(hand)}.`;
}

export function supplyWords(supply: Record<Kind, number>): string {
  const left = KINDS.filter((kind) => supply[kind] > 0);
  const words = left.map((kind) => `${supply[kind]} ${supply[kind] === 1 ? KIND_WORDS[kind] : PLURALS[kind]}`);
  return words.length ? list(words) : 'no friends';
}

export function say(_: Layout, line: Line, seats: Seat[]): string {
  const { seat } = line;
  const captain = effect(line, 'captain');
  if (captain) return `${owned(seats, seat, '', 'captain')} begins on ${captain.spaces[0]}.`;
  const formation = effect(line, 'formation');
  if (!formation) return line.text;
  const { kind } = readFriend(formation.value);
  return [
    `${owned(seats, seat, '', KIND_WORDS[kind])} comes to ${formation.spaces[0]}`,
    ...effects(line, 'stunt').map((stunt) => {
      const [from, over, to] = stunt.spaces;
      const { seat, face } = readStunt(stunt);
      return `${owned(seats, seat, '', 'captain')} leaps from ${from} over ${over} to ${to} and shows ${face}`;
    }),
    ...fallWords(line, seats),
  ]
    .join('; ')
    .concat('.');
}

/** "sophomore on b2, captain leaps to b4, 2 fall". */
export function brief(_: Layout, line: Line, seats: Seat[]): string {
  const captain = effect(line, 'captain');
  if (captain) return `captain on ${captain.spaces[0]}`;
  const formation = effect(line, 'formation');
  if (!formation) return line.text;
  const { length: fallen } = effects(line, 'fall');
  return [
    `${KIND_WORDS[readFriend(formation.value).kind]} on ${formation.spaces[0]}`,
    ...effects(line, 'stunt').map((stunt) => {
      const { seat } = readStunt(stunt);
      return `${seat === line.seat ? '' : `${whose(seats, seat)} `}captain leaps to ${stunt.spaces[2]}`;
    }),
    ...(fallen ? [`${fallen} ${fallen > 1 ? 'fall' : 'falls'}`] : []),
  ].join(', ');
}

function fallWords(line: Line, seats: Seat[]): string[] {
  const fallen = effects(line, 'fall').map(({ spaces, value }) => {
    const { seat, kind } = readFriend(value);
    return `${owned(seats, seat, '', KIND_WORDS[kind])} on ${spaces[0]}`;
  });
  return fallen.length ? [`${list(fallen)} ${fallen.length > 1 ? 'fall' : 'falls'}`] : [];
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const { board, squares, best_alone: best } = layout;
  const stands = squares.flatMap(({ name }) => {
    const friend = view.friends[name];
    return friend ? [`${name}: ${friendWords(friend, seats)}`] : [];
  });
  const captains = view.captains.map(({ seat, square, face }) =>
    square
      ? `${nameOf(seats, seat)}'s captain on ${square} shows ${face}.`
      : `${nameOf(seats, seat)}'s captain is still to come.`,
  );
  const supplies = view.supply.map((supply, seat) => `${nameOf(seats, seat)} has ${supplyWords(supply)} left.`);
  const scores = view.scores.map((score, seat) => `${nameOf(seats, seat)}: ${score}`);
  return [
    turnWords(view, seats),
    ...captains,
    stands.length
      ? `Friends on the board: ${stands.join('; ')}.`
      : `No friends are on the board of ${board} by ${board}.`,
    ...supplies,
    `Scores – ${scores.join(', ')}.`,
    ...(view.over ? bestWords(best) : []),
  ].join(' ');
}

function turnWords(view: View, seats: Seat[]): string {
  if (view.over && seats.length === 1) return 'The game is over.';
  const places = view.captains.some(({ square }) => square === null);
  return standing(view, seats, places ? 'Captains are placed' : `Turn ${view.turn + 1}`);
}

function bestWords(best: number | null): string[] {
  return best === null ? [] : [`The best known score is ${best}.`];
}

/** The player who placed the last friend or could place none (SQ-13), and the tie-break (SQ-15). */
export function reason(_: Layout, view: View, seats: Seat[]): string {
  const placedAll = view.supply.findIndex((supply) => KINDS.every((kind) => supply[kind] === 0));
  const stuck = view.turn % seats.length;
  const end =
    placedAll < 0
      ? `${who(seats, stuck)} ${verb(seats, [stuck], 'has')} no place for another friend.`
      : `${capital(whose(seats, placedAll))} last friend is on the board.`;
  const sums = seats.map(({ seat }) => sumWords(view, seats, seat)).join(', ');
  return [end, ...tieWords(view, seats), `5 for each junior, and the captain’s number: ${sums}.`].join(' ');
}

/** "You 2 × 5 + 3 = 13", the sum in one line (SQ-14) */
function sumWords(view: View, seats: Seat[], seat: number): string {
  const juniors = Object.values(view.friends).filter((name) => name === `${seat}J`).length;
  const sum = `${juniors} × 5 + ${view.captains[seat]!.face} = ${view.scores[seat]}`;
  return `${who(seats, seat)} ${sum.replaceAll(' ', '\u00a0')}`;
}

function tieWords({ scores, winners }: View, seats: Seat[]): string[] {
  const best = scores.filter((score) => score === Math.max(...scores)).length;
  if (best === winners.length) return [];
  return [
    `With equal points, ${everyone(seats, winners).replace(/^You/, 'you')} ${verb(seats, winners, 'has')} more friends there.`,
  ];
}

/** The result of a solo game. */
export function soloWords(layout: Layout, view: View): string {
  if (!view.over || view.scores.length > 1) return '';
  return [`Your score is ${view.scores[0]}.`, ...bestWords(layout.best_alone)].join(' ');
}
