/** Texts of all games of the workshop. The server decides which acts are legal. */

import { heading, list, valueWords } from '../../app/words';
import { isSize, SIZE_WORDS } from '../../pieces/solid';
import type { FrameOf, Keys, Landmarks, Sounds } from '../../board/game-view';
import { capital, everyone, nameOf, pointWords, standing, verb, whose } from '../../board/words';
import type { Seat, Value } from '../../wire';
import { SEALED, SECRET, spoken, headingWords } from './acts';
import { isPyramid, padWords, pieceWords, readPiece, SEVERAL } from './pieces';
import type { AnyEffect, Draws, Layout, Line, Space, Tells, View, Wire } from './wire';

export type { Wire };
export { facing, steps } from './board';

export const hasSides = true;
export const hasChance = false;
/** Words for the pieces that acts place. */
export const kinds: Record<string, string> = SIZE_WORDS;

export const keys: Keys = [
  ['1 2 3', 'press the first, second or third button under the board'],
  ['s m l', 'take a small, medium or large pyramid to place'],
  ['e', 'examine the stack: all its pieces'],
  ['n', 'on to the next space to choose (with Shift: back)'],
];

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

export const DRAW_WORDS: Record<Draws['kind'], string> = {
  die: 'The die shows',
  coin: 'The coin shows',
  draw: 'Drawn',
  roll: 'The dice show',
  deal: 'Dealt',
};

/** The random draw that an act was, if any. */
export function drawnBy(line: Line | null): Draws | undefined {
  return line?.effects.find((effect): effect is Draws => effect.kind in DRAW_WORDS);
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

/** An effect in words, after the name of its seat: "moves a large red pyramid from a1 to b2". */
function effectWords(effect: AnyEffect, line: Line, seats: Seat[]): string {
  switch (effect.kind) {
    case 'puts':
      return `${pieceWords(readPiece(effect.value), seats)} comes to ${effect.spaces[0]}`;
    case 'moves': {
      const several = SEVERAL.test(effect.value);
      const what = several ? `${effect.value} move` : `${pieceWords(readPiece(effect.value), seats)} moves`;
      return `${what} from ${effect.spaces[0]} to ${effect.spaces[1]}`;
    }
    case 'takes':
      return `${pieceWords(readPiece(effect.value), seats)} is taken from ${effect.spaces[0]}`;
    case 'turns': {
      const piece = readPiece(effect.value);
      if (!isPyramid(piece)) return `${pieceWords(piece, seats)} comes up on ${effect.spaces[0]}`;
      return `${pieceWords(piece, seats)} ${piece.heading === null ? 'stands' : 'lies'} on ${effect.spaces[0]}`;
    }
    case 'keeps':
    case 'spends':
    case 'scores':
    case 'reveals':
      return seatEffectWords(effect.kind, effect.value, line, seats);
    case 'eliminates':
      return `${nameOf(seats, effect.value)} is out`;
    case 'draw':
      return `${effect.value} is drawn`;
    default:
      return `${DRAW_WORDS[effect.kind].toLowerCase()} ${effect.value}`;
  }
}

function seatEffectWords(kind: Tells['kind'], value: string, line: Line, seats: Seat[]): string {
  const { seat, what } = readSeatValue(value);
  if (kind === 'reveals') return `${nameOf(seats, seat)} chose ${placedWords(what) ?? what}`;
  const whose = seat === line.seat ? '' : `${nameOf(seats, seat)} `;
  return whose + (kind === 'scores' ? gainWords(Number(what)) : `${kind} ${pieceWords(readPiece(what), seats)}`);
}

/** "scores 3 points", "loses 1 point". */
function gainWords(points: number): string {
  return `${points < 0 ? 'loses' : 'scores'} ${pointWords(Math.abs(points))}`;
}

/** "Ann scores 3 points, and has 7. Ben loses 1 point, and has 2.": changes that no effect reports. */
export function scoreNews(before: View, { line, view }: FrameOf<Wire>, seats: Seat[]): string {
  const reported = (seat: number): number =>
    (line?.effects ?? [])
      .filter((effect): effect is Tells => effect.kind === 'scores')
      .map(({ value }) => readSeatValue(value))
      .reduce((sum, score) => sum + (score.seat === seat ? Number(score.what) : 0), 0);
  if (!hasPoints(view)) return '';
  return view.scores
    .map((score, seat) => ({ seat, score, gain: score - (before.scores[seat] ?? 0) - reported(seat) }))
    .filter(({ gain }) => gain !== 0)
    .map(({ seat, score, gain }) => `${nameOf(seats, seat)} ${gainWords(gain)}, and has ${score}.`)
    .join(' ');
}

function readSeatValue(value: string): { seat: number; what: string } {
  const at = value.indexOf(':');
  return { seat: Number(value.slice(0, at)), what: value.slice(at + 1) };
}

/** The secret choices of an act that reveals them. */
export function revealed(line: Line | null, seats: Seat[]): { name: string; value: string }[] {
  return (line?.effects ?? []).flatMap((effect) => {
    if (effect.kind !== 'reveals') return [];
    const { seat, what } = readSeatValue(effect.value);
    return [{ name: nameOf(seats, seat), value: placedWords(what) ?? spoken(what) }];
  });
}

/** "Ann: large red pyramid moves from a1 to b2, scores 1 point." */
export function say(_: Layout, line: Line, seats: Seat[]): string {
  const texts = line.effects.filter((effect) => !isPut(effect, line)).map((effect) => effectWords(effect, line, seats));
  if (line.seat < 0) return `${capital(texts.join(', ') || line.text)}.`;
  const name = nameOf(seats, line.seat);
  if (line.text === SEALED) return `${name} has chosen.`;
  if (revealed(line, seats).length > 0) return `${capital(texts.join(', '))}.`;
  if (texts.length === 0) return `${name}: ${actWords(line)}.`;
  if (isSeen(line)) return `${name}: ${texts.join(', ')}.`;
  return `${name}: ${actWords(line)}. ${capital(texts.join(', '))}.`;
}

/** Whether a piece is spent to be put on a space, which another effect reports. */
function isPut(effect: AnyEffect, { effects }: Line): boolean {
  if (effect.kind !== 'spends') return false;
  const { what } = readSeatValue(effect.value);
  return effects.some(({ kind, value }) => kind === 'puts' && value.split('>')[0] === what);
}

const PLAIN = /^(?:[SML]@\w+(?:>\w+)?|\w+(?:[->]\w+)+)$/;

/** Whether the effects of an act say it all: a piece is put, moved or turned. */
function isSeen({ text, effects }: Line): boolean {
  return PLAIN.test(text) && effects.some(({ kind }) => kind === 'puts' || kind === 'moves' || kind === 'turns');
}

/** "a1–b2, takes small blue pyramid, +1", "Ann: rock, Ben: paper, +1". */
export function brief(_: Layout, line: Line, seats: Seat[]): string {
  const chosen = revealed(line, seats).map(({ name, value }) => `${name}: ${value}`);
  const more = line.effects.flatMap((effect) => {
    if (effect.kind === 'takes') return [`takes ${pieceWords(readPiece(effect.value), seats)}`];
    if (effect.kind === 'eliminates') return [effectWords(effect, line, seats)];
    if (effect.kind !== 'scores') return [];
    const { seat, what } = readSeatValue(effect.value);
    return [seat === line.seat ? what : `${nameOf(seats, seat)} ${what}`];
  });
  return [...(chosen.length > 0 ? chosen : [actWords(line)]), ...more].join(', ');
}

const PLACED = /^([SML])@([^>]+)(?:>(\w+))?$/;
const LAID = /^(\w+)>(\w+)$/;

function placedWords(text: string): string | null {
  const [, size = '', on, direction] = PLACED.exec(text) ?? [];
  const points = direction ? `, points ${headingWords(direction)}` : '';
  return isSize(size) ? `${SIZE_WORDS[size]} on ${on}${points}` : null;
}

/** "a1–b2", "small on b3", "a1 north-east", "a1 points north-east" if a pyramid turns, "chooses rock", "die: hop". */
function actWords({ text, effects }: Line): string {
  const placed = placedWords(text);
  if (placed) return placed;
  const laid = LAID.exec(text);
  if (laid) {
    const turns = effects.some(({ kind }) => kind === 'turns');
    return `${laid[1]}${turns ? ' points' : ''} ${headingWords(laid[2]!)}`;
  }
  if (text === SEALED) return 'has chosen';
  if (text.startsWith(SECRET)) return `chooses ${placedWords(text.slice(SECRET.length)) ?? text.slice(SECRET.length)}`;
  return spoken(text).replace(/^(die|coin|draw|roll|deal):/, '$1: ');
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
    ...(hasPoints(view) ? [`Scores – ${scores.join(', ')}.`] : []),
    ...facts(view).map(({ name, value }) => `${name}: ${value}.`),
  ].join(' ');
}

/** The game's own readable values. */
export function facts({ own }: View): { name: string; value: string }[] {
  return Object.entries(own).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value)
      ? [{ name: heading(name), value: valueWords(value as Value) }]
      : [],
  );
}

/** Names the seats that still have to choose in secret; empty if there are none. */
export function secretWords({ asked }: View, seats: Seat[], acting: number | null): string {
  if (asked.length === 0) return '';
  if (acting !== null && asked.includes(acting)) return 'Choose in secret: it is shown when all have chosen.';
  return `${everyone(seats, asked)} ${verb(seats, asked, 'is')} still to choose in secret.`;
}

/** Whether a game has points. At the end of a game without any, winners have 1, which is not shown. */
export function hasPoints({ scores, over, winners }: View): boolean {
  return scores.some((score, seat) => score !== (over ? Number(winners.includes(seat)) : 0));
}

export function reason(_: Layout, view: View, seats: Seat[]): string {
  const { scores } = view;
  if (!hasPoints(view)) return '';
  return `${list(scores.map((score, seat) => `${seat === 0 ? capital(whose(seats, seat)) : whose(seats, seat)} score is ${score}`))}.`;
}
