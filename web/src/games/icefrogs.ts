/** IceFrogs in the browser: its fields, its acts as gestures, its words. Which acts are legal the server says. */

import { list } from '../app/words';
import { COLOURS, isColour, type Colour } from '../pieces/colours';
import { isSize, SIZE_WORDS, SIZES, type Size } from '../pieces/solid';
import type { Piece } from '../pieces/stack';
import type { Effect, Layout, Line, Seat, View } from '../wire';

/** `x`: neighbours in a row are 2 apart; `y`: the row from the bottom; `start`: the seat that starts here. */
export interface Space {
  name: string;
  x: number;
  y: number;
  start: number | null;
}

export interface IceFrogsLayout {
  board: 'star' | 'hexagon';
  spaces: Space[];
}

export interface IceFrogsView extends View {
  /** Pyramids as "0L", seat and size, from bottom to top; occupied spaces only. */
  stacks: Record<string, string[]>;
  supply: Record<Size, number>[];
  turn: number;
  turn_limit: number;
}

export function readLayout(layout: Layout): IceFrogsLayout {
  return layout as unknown as IceFrogsLayout;
}

export function readView(view: View): IceFrogsView {
  return view as IceFrogsView;
}

// Pyramids

export interface Pyramid {
  seat: number;
  size: Size;
}

export function readPyramid(name: string): Pyramid {
  return { seat: Number(name.slice(0, -1)), size: name.slice(-1) as Size };
}

export function colourOf(seats: Seat[], seat: number): Colour {
  const colour = seats[seat]?.colour ?? '';
  return isColour(colour) ? colour : COLOURS[seat % COLOURS.length]!;
}

export function piece(name: string, seats: Seat[]): Piece {
  const { seat, size } = readPyramid(name);
  return { size, colour: colourOf(seats, seat) };
}

// Acts: `L@c3`, `b2-c3`, `pass`

/** What a move starts from: a space, or a size in the supply. */
export type Source = string;

export function actText(source: Source, to: string): string {
  return isSize(source) ? `${source}@${to}` : `${source}-${to}`;
}

function readAct(text: string): { source: Source; to: string } | null {
  const parts = /^(?:([SML])@|([a-z]\d+)-)([a-z]\d+)$/.exec(text);
  return parts && { source: (parts[1] ?? parts[2])!, to: parts[3]! };
}

/** The size that comes in from the supply; null where none does. */
export function enteringSize(line: Line): Size | null {
  const source = readAct(line.text)?.source;
  return source !== undefined && isSize(source) ? source : null;
}

/** Every source of a legal act and where it may end. */
export function destinations(legal: string[]): Map<Source, Set<string>> {
  const found = new Map<Source, Set<string>>();
  for (const text of legal) {
    const act = readAct(text);
    if (act) found.set(act.source, (found.get(act.source) ?? new Set()).add(act.to));
  }
  return found;
}

/** What a person at the board has before them. */
export interface Hand {
  view: IceFrogsView;
  acting: number | null;
  legal: Map<Source, Set<string>>;
  picked: Source | null;
}

export type Tap = { kind: 'pick'; source: Source } | { kind: 'put back' } | { kind: 'act'; text: string };

/**
 * What choosing a space means. With a piece picked, another of one's own that it can't cover is picked in its stead;
 * every other space makes an act, legal or not: the server says what is wrong with it.
 */
export function tap({ view, acting, legal, picked }: Hand, space: string): Tap | null {
  const own = acting !== null && topSeat(view, space) === acting;
  if (picked === null) return own ? { kind: 'pick', source: space } : null;
  if (picked === space) return { kind: 'put back' };
  if (own && !legal.get(picked)?.has(space)) return { kind: 'pick', source: space };
  return { kind: 'act', text: actText(picked, space) };
}

function topSeat(view: IceFrogsView, space: string): number | null {
  const top = view.stacks[space]?.at(-1);
  return top === undefined ? null : readPyramid(top).seat;
}

/** What a space is to the hand now; `free`, `cover` and `win`: the picked piece may end here. */
export type Role = 'movable' | 'picked' | 'free' | 'cover' | 'win';

export function role({ view, acting, legal, picked }: Hand, space: Space): Role | null {
  if (acting === null) return null;
  if (picked === null) return legal.has(space.name) ? 'movable' : null;
  if (picked === space.name) return 'picked';
  if (!legal.get(picked)?.has(space.name)) return null;
  if (space.start !== null && space.start !== acting) return 'win';
  return view.stacks[space.name] ? 'cover' : 'free';
}

export const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The space that an arrow leads to: along the row, or in the next row the one nearest to `column`. */
export function towards(spaces: Space[], from: Space, [dx, dy]: [number, number], column: number): Space {
  if (dx) return spaces.find(({ x, y }) => y === from.y && x === from.x + 2 * dx) ?? from;
  const row = spaces.filter(({ y }) => y === from.y + dy);
  const near = (space: Space) => Math.abs(space.x - column);
  return row.reduce((best, space) => (near(space) < near(best) ? space : best), row[0] ?? from);
}

// Words

function pyramidWords(name: string, seats: Seat[]): string {
  const { seat, size } = readPyramid(name);
  return `${SIZE_WORDS[size]} ${colourOf(seats, seat)}`;
}

/** "large red on medium blue": from top to bottom. */
export function stackWords(stack: string[], seats: Seat[]): string {
  return [...stack]
    .reverse()
    .map((name) => pyramidWords(name, seats))
    .join(' on ');
}

/** "c3: large red on medium blue, can move". */
export function spaceWords(hand: Hand, space: Space, seats: Seat[]): string {
  const stack = hand.view.stacks[space.name];
  const start = space.start === null ? [] : [`${colourOf(seats, space.start)} start`];
  const what = [...start, stack ? stackWords(stack, seats) : 'empty', ...roleWords(hand, space, seats)];
  return `${space.name}: ${what.join(', ')}`;
}

function roleWords(hand: Hand, space: Space, seats: Seat[]): string[] {
  switch (role(hand, space)) {
    case 'movable':
      return ['can move'];
    case 'picked':
      return ['picked up'];
    case 'free':
      return ['legal destination'];
    case 'cover':
      return [`legal destination, covers ${pyramidWords(hand.view.stacks[space.name]!.at(-1)!, seats)}`];
    case 'win':
      return ['legal destination, wins the game'];
    default:
      return [];
  }
}

/** What was picked and where it may go. */
export function pickWords({ view, legal, picked, acting }: Hand, seats: Seat[]): string {
  if (picked === null || acting === null) return '';
  const name = isSize(picked) ? `${acting}${picked}` : view.stacks[picked]?.at(-1);
  if (name === undefined) return '';
  const count = legal.get(picked)?.size ?? 0;
  const from = isSize(picked) ? 'from the supply' : `on ${picked}`;
  const where = count === 0 ? 'it has no legal move' : count === 1 ? '1 destination' : `${count} destinations`;
  return `Picked the ${pyramidWords(name, seats)} ${from}: ${where}.`;
}

/** "Ann's large red pyramid"; the colour is left out where the seat is named by it. */
function owned({ seat, size }: { seat: number; size: Size | null }, seats: Seat[]): string {
  const colour = colourOf(seats, seat);
  const name = nameOf(seats, seat);
  const words = [size && SIZE_WORDS[size], name.toLowerCase() === colour ? '' : colour, 'pyramid'];
  return `${name}'s ${words.filter(Boolean).join(' ')}`;
}

function nameOf(seats: Seat[], seat: number): string {
  return seats[seat]?.name ?? `Seat ${seat + 1}`;
}

function effect(line: Line, kind: string): Effect | undefined {
  return line.effects.find((one) => one.kind === kind);
}

/** The spaces that the moved pyramid touched, from where it came to where it ended; none after a pass. */
export function pathOf(line: Line | null): string[] {
  return (line && effect(line, 'path')?.spaces) ?? [];
}

/** The start space that the line's act has reached. */
export function reached(line: Line | null): string | null {
  return (line && effect(line, 'reaches')?.spaces[0]) ?? null;
}

/** The space between two that a hop leads over; none where the leg is a step. */
export function between(spaces: Space[], from: Space, to: Space): Space | undefined {
  return spaces.find(({ x, y }) => x * 2 === from.x + to.x && y * 2 === from.y + to.y);
}

/** Whether one step leads from space to space. */
export function isStep(from: Space, to: Space): boolean {
  return Math.abs(from.x - to.x) + Math.abs(from.y - to.y) === 2;
}

export function say(layout: Layout, line: Line, seats: Seat[]): string {
  const drawn = effect(line, 'draw') ? '; the game is drawn' : '';
  if (line.text === 'pass') return `${nameOf(seats, line.seat)} passes${drawn}.`;
  const { spaces } = readLayout(layout);
  const mover = effect(line, 'path')?.value;
  const whose = typeof mover === 'string' ? readPyramid(mover) : { seat: line.seat, size: null };
  const clauses = [...motionWords(spaces, pathOf(line), enteringSize(line) !== null), ...endWords(spaces, line, seats)];
  return `${owned(whose, seats)} ${list(clauses)}${drawn}.`;
}

function motionWords(spaces: Space[], path: string[], entering: boolean): string[] {
  const at = new Map(spaces.map((space) => [space.name, space]));
  const hops: string[] = [];
  const steps: string[] = [];
  for (const [i, name] of path.slice(1).entries()) {
    const [from, to] = [at.get(path[i]!)!, at.get(name)!];
    if (isStep(from, to)) steps.push(`to ${name}`);
    else hops.push(`over ${between(spaces, from, to)?.name} to ${name}`);
  }
  const from = entering ? '' : ` from ${path[0]}`;
  return [
    ...(entering ? [`comes in at ${path[0]}`] : []),
    ...(hops.length ? [`hops${from} ${hops.join(', then ')}`] : []),
    ...(steps.length ? [`steps${hops.length ? '' : from} ${steps.join(', then ')}`] : []),
  ];
}

function endWords(spaces: Space[], line: Line, seats: Seat[]): string[] {
  const covered = effect(line, 'covers')?.value;
  const loser = spaces.find(({ name }) => name === reached(line))?.start;
  return [
    ...(typeof covered === 'string' ? [`covers ${owned(readPyramid(covered), seats)}`] : []),
    ...(loser === undefined || loser === null ? [] : [`reaches ${nameOf(seats, loser)}'s start space and wins`]),
  ];
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const { board, spaces } = readLayout(layout);
  const now = readView(view);
  const starts = spaces.flatMap(({ name, start }) => (start === null ? [] : [`${nameOf(seats, start)} at ${name}`]));
  const stacks = spaces.flatMap(({ name }) => {
    const stack = now.stacks[name];
    return stack ? [`${name}: ${stackWords(stack, seats)}`] : [];
  });
  const supplies = now.supply.map((supply, seat) => `${nameOf(seats, seat)} has ${supplyWords(supply)} left.`);
  return [
    turnWords(now, seats),
    stacks.length ? `On the ${board}: ${stacks.join('; ')}.` : `The ${board} is empty.`,
    ...supplies,
    `Start spaces: ${list(starts)}.`,
  ].join(' ');
}

function turnWords(view: IceFrogsView, seats: Seat[]): string {
  if (view.over) {
    const winners = view.winners.map((seat) => nameOf(seats, seat));
    return view.winners.length === seats.length ? 'The game is drawn.' : `${list(winners)} has won.`;
  }
  const limit = view.turn_limit ? ` of at most ${view.turn_limit}` : '';
  const movers = view.to_act.map((seat) => `${nameOf(seats, seat)} (${colourOf(seats, seat)})`);
  return `Turn ${view.turn + 1}${limit}: ${list(movers)} to move.`;
}

export function supplyWords(supply: Record<Size, number>): string {
  const parts = SIZES.filter((size) => supply[size] > 0).map((size) => `${supply[size]} ${SIZE_WORDS[size]}`);
  return parts.length ? list(parts) : 'no pyramids';
}
