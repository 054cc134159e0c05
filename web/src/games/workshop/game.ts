/** Any game of the workshop in the browser: its words. What is legal the server says. */

import { heading, list, valueWords } from '../../app/words';
import { SIZE_WORDS } from '../../pieces/solid';
import type { Keys, Landmarks, Sounds } from '../../board/game-view';
import { capital, effect, everyone, nameOf, pointWords, standing, verb, whose } from '../../board/words';
import type { Seat, Value } from '../../wire';
import { SECRET, spoken } from './acts';
import { isPyramid, padWords, pieceWords, readPiece } from './pieces';
import type { AnyEffect, Layout, Line, Space, View, Wire } from './wire';

export type { Wire };
export { facing, steps } from './board';

/** What others see of a secret choice until it is shown. */
const SEALED = 'chooses';

export const hasSides = true;
export const hasChance = false;
/** The words for what acts place. */
export const kinds: Record<string, string> = SIZE_WORDS;

export const keys: Keys = [
  ['1 2 3', 'press the first, second or third button under the board'],
  ['v', 'look into the stack'],
  ['n', 'on to the next space to choose (with Shift: back)'],
];

/** What is worth a jump when the game is watched again. */
export const landmarks = { takes: 'capture', eliminates: 'elimination' } satisfies Landmarks<Wire>;

export const sounds: Sounds<Wire> = {
  act: ({ text }) => (text.startsWith('die:') ? 'roll' : null),
  puts: ({ value }) => landing(value),
  moves: ({ value }) => landing(value),
  takes: 'capture',
  turns: 'ice',
  coin: 'coin',
  draw: 'reveal',
  eliminates: 'crash',
};

function landing(value: string): 'land-S' | 'land-M' | 'land-L' {
  const piece = readPiece(value);
  return isPyramid(piece) ? `land-${piece.size}` : 'land-S';
}

// Acts

/** The spaces that an act touched, in order. */
export function touched(line: Line | null): string[] {
  const moved = line?.effects.filter(({ kind }) => kind === 'moves' || kind === 'puts' || kind === 'turns') ?? [];
  const spaces: string[] = moved.flatMap(({ spaces }) => spaces);
  return spaces.filter((name, i) => name !== spaces[i - 1]);
}

/** What chance has drawn, if that was the act. */
export function drawnBy(line: Line | null) {
  return effect(line, 'die') ?? effect(line, 'coin') ?? effect(line, 'draw');
}

// Words

/** "b2: large red pyramid on small blue pyramid, Ann's zone, can be chosen". */
export function spaceWords(space: Space, view: View, seats: Seat[], role: string): string {
  const pieces = view.stacks[space.name] ?? [];
  const stack = pieces.map((piece) => pieceWords(piece, seats)).reverse();
  const words = [stack.join(' on ') || 'empty'];
  if (space.colour) words.push(`${space.colour} space`);
  if (space.zone !== null) words.push(zoneWords(space.zone, seats));
  if (role) words.push(role);
  return `${space.name}: ${words.join(', ')}`;
}

function zoneWords(zone: number, seats: Seat[]): string {
  return zone in seats ? `${nameOf(seats, zone)}'s zone` : `zone ${zone}`;
}

function piecesWords(value: string, seats: Seat[]): string {
  return /^\d+$/.test(value) ? `${value} pieces` : pieceWords(readPiece(value), seats);
}

/** What an effect is called after its seat: "moves a large red pyramid from a1 to b2". */
function effectWords(one: AnyEffect, line: Line, seats: Seat[]): string {
  switch (one.kind) {
    case 'puts':
      return `${pieceWords(readPiece(one.value), seats)} comes to ${one.spaces[0]}`;
    case 'moves':
      return `${piecesWords(one.value, seats)} ${/^\d+$/.test(one.value) ? 'move' : 'moves'} from ${one.spaces[0]} to ${one.spaces[1]}`;
    case 'takes':
      return `${pieceWords(readPiece(one.value), seats)} is taken from ${one.spaces[0]}`;
    case 'turns': {
      const piece = readPiece(one.value);
      const lies = isPyramid(piece) && piece.heading !== null;
      return `${pieceWords(piece, seats)} ${lies ? 'lies' : 'stands'} on ${one.spaces[0]}`;
    }
    case 'keeps':
    case 'spends':
    case 'scores':
      return tellWords(one.kind, one.value, line, seats);
    case 'eliminates':
      return `${nameOf(seats, one.value)} is out`;
    case 'die':
      return `the die shows ${one.value}`;
    case 'coin':
      return `the coin shows ${one.value}`;
    case 'draw':
      return `${one.value} is drawn`;
  }
}

function tellWords(kind: 'keeps' | 'spends' | 'scores', text: string, line: Line, seats: Seat[]): string {
  const [number, value = ''] = text.split(/:(.*)/);
  const seat = Number(number);
  const what = kind === 'scores' ? pointWords(Number(value)) : pieceWords(readPiece(value), seats);
  return `${seat === line.seat ? '' : `${nameOf(seats, seat)} `}${kind} ${what}`;
}

/** "Ann: a1–b2. Large red pyramid moves from a1 to b2, scores 1 point." */
export function say(_: Layout, line: Line, seats: Seat[]): string {
  const told = line.effects.map((one) => effectWords(one, line, seats));
  if (line.seat < 0) return `${capital(told.join(', ') || line.text)}.`;
  const name = nameOf(seats, line.seat);
  if (line.text === SEALED) return `${name} has chosen.`;
  const act = `${name}: ${actWords(line.text)}.`;
  return told.length > 0 ? `${act} ${capital(told.join(', '))}.` : act;
}

/** "a1–b2, takes small blue pyramid, +1". */
export function brief(_: Layout, line: Line, seats: Seat[]): string {
  const more = line.effects.flatMap((one) => {
    if (one.kind === 'takes') return [`takes ${pieceWords(readPiece(one.value), seats)}`];
    if (one.kind === 'scores')
      return [
        one.value.replace(`${line.seat}:`, '').replace(/^(\d+):/, (_, seat) => `${nameOf(seats, Number(seat))} `),
      ];
    return one.kind === 'eliminates' ? [effectWords(one, line, seats)] : [];
  });
  return [actWords(line.text), ...more].join(', ');
}

/** "a1–b2", "chooses rock", "die: hop". */
function actWords(text: string): string {
  if (text === SEALED) return 'has chosen';
  if (text.startsWith(SECRET)) return `chooses ${text.slice(SECRET.length)}`;
  return spoken(text).replace(/^(die|coin|draw):/, '$1: ');
}

export function describe(_: Layout, view: View, seats: Seat[]): string {
  const stacks = Object.entries(view.stacks).map(
    ([name, pieces]) =>
      `${name}: ${pieces
        .map((piece) => pieceWords(piece, seats))
        .reverse()
        .join(' on ')}`,
  );
  const pads = view.pads.flatMap((pad, seat) => (pad.length > 0 ? [padWords(pad, seats, seat)] : []));
  const scores = view.scores.map((score, seat) => `${nameOf(seats, seat)}: ${score}`);
  return [
    standing(view, seats, `Turn ${view.turn + 1}`),
    ...(view.out.length > 0 ? [`${everyone(seats, view.out)} ${verb(seats, view.out, 'is')} out.`] : []),
    stacks.length > 0 ? `On the board: ${stacks.join('; ')}.` : 'The board is empty.',
    ...pads,
    `Scores – ${scores.join(', ')}.`,
    ...facts(view).map(({ name, value }) => `${name}: ${value}.`),
  ].join(' ');
}

/** The game's own values that people can read. */
export function facts({ own }: View): { name: string; value: string }[] {
  return Object.entries(own).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value)
      ? [{ name: heading(name), value: valueWords(value as Value) }]
      : [],
  );
}

/** Who is still to choose in secret; empty where nobody is. */
export function askedWords({ asked }: View, seats: Seat[], acting: number | null): string {
  if (asked.length === 0) return '';
  if (acting !== null && asked.includes(acting)) return 'Choose in secret: it is shown when all have chosen.';
  return `${everyone(seats, asked)} ${verb(seats, asked, 'is')} still to choose in secret.`;
}

export function reason(_: Layout, { scores }: View, seats: Seat[]): string {
  if (!scores.some((score) => score !== 0)) return '';
  return `${list(scores.map((score, seat) => `${seat === 0 ? capital(whose(seats, seat)) : whose(seats, seat)} score is ${score}`))}.`;
}
