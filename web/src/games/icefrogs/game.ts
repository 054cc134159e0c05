/** Acts and texts of IceFrogs. The server decides which acts are legal. */

import { list } from '../../app/words';
import { isSize, SIZE_WORDS, SIZES, type Size } from '../../pieces/solid';
import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import {
  destinationWords,
  role,
  sortWays,
  type Hand,
  type Legal,
  type Role,
  type Source,
  type Way,
} from '../../board/hand';
import type { Keys, Landmarks, Sounds } from '../../board/game-view';
import type { Idle } from '../../board/play.svelte';
import { capital, colourOf, effect, nameOf, owned, readName, standing, whose } from '../../board/words';
import type { Layout, Line, Space, View, Wire } from './wire';

export { facing, steps } from './board';
export type { Wire };

// Pyramids

export interface Pyramid {
  seat: number;
  size: Size;
}

export function readPyramid(name: string): Pyramid {
  const { seat, kind } = readName(name, SIZES);
  return { seat, size: kind };
}

export function piece(name: string, seats: Seat[]): Piece {
  const { seat, size } = readPyramid(name);
  return { size, colour: colourOf(seats, seat) };
}

export const kinds = SIZE_WORDS;
export const hasSides = true;
export const hasChance = false;

export const keys: Keys = [
  ['s m l', 'take a small, a medium or a large pyramid from the supply'],
  ['n', 'on to the next pyramid that can move, or to the next destination (with Shift: back)'],
];

export const landmarks = { covers: 'landing', reaches: 'home' } satisfies Landmarks<Wire>;

export const sounds: Sounds<Wire> = {
  path: ({ value }) => `land-${readPyramid(value).size}`,
  covers: 'capture',
};

// Acts: `L@c3`, `b2-c3`, `pass`

export function actText(source: Source, to: string): string {
  return isSize(source) ? `${source}@${to}` : `${source}-${to}`;
}

/** The server refuses the act and says why a stack can't be moved, or why no pyramid of a size can enter. */
export function idle({ spaces }: Layout, what: Source): Idle {
  const target = isSize(what) ? spaces.find(({ start }) => start === null)!.name : what;
  return { act: actText(what, target) };
}

function readAct(text: string): Way | null {
  const parts = /^(?:([SML])@|([a-z]\d+)-)([a-z]\d+)$/.exec(text);
  return parts && { source: (parts[1] ?? parts[2])!, target: parts[3]!, text };
}

/** The size that enters from the supply; null: none does. */
export function enteringSize(line: Line): Size | null {
  const source = readAct(line.text)?.source;
  return source !== undefined && isSize(source) ? source : null;
}

export function sortActs(legal: string[]): Legal {
  return sortWays(legal.flatMap((text) => readAct(text) ?? []));
}

export interface FrogHand extends Hand {
  view: View;
  acting: number | null;
}

/** Whether the top pyramid of a space belongs to the acting seat. */
export function isOwn({ view, acting }: FrogHand, space: string): boolean {
  const top = view.stacks[space]?.at(-1);
  return top !== undefined && readPyramid(top).seat === acting;
}

export function frogRole(hand: FrogHand, space: Space): Role | null {
  const basic = role(hand, space.name, space.name in hand.view.stacks);
  const isTarget = basic === 'free' || basic === 'cover';
  return isTarget && space.start !== null && space.start !== hand.acting ? 'win' : basic;
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
export function spaceWords(hand: FrogHand, space: Space, seats: Seat[]): string {
  const stack = hand.view.stacks[space.name];
  const start = space.start === null ? [] : [`${colourOf(seats, space.start)} start`];
  const what = [...start, stack ? stackWords(stack, seats) : 'empty', ...roleWords(hand, space, seats)];
  return `${space.name}: ${what.join(', ')}`;
}

function roleWords(hand: FrogHand, space: Space, seats: Seat[]): string[] {
  switch (frogRole(hand, space)) {
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

export function pickWords(hand: FrogHand, seats: Seat[]): string {
  const { view, picked, acting } = hand;
  if (picked === null || acting === null) return '';
  const name = isSize(picked) ? `${acting}${picked}` : view.stacks[picked]?.at(-1);
  if (name === undefined) return '';
  const from = isSize(picked) ? 'from the supply' : `on ${picked}`;
  return `Picked the ${pyramidWords(name, seats)} ${from}: ${destinationWords(hand)}.`;
}

function ownedPyramid(name: string, seats: Seat[]): string {
  const { seat, size } = readPyramid(name);
  return owned(seats, seat, SIZE_WORDS[size], 'pyramid');
}

/** The spaces that the moved pyramid touched, from its origin to its destination; none after a pass. */
export function pathOf(line: Line | null): string[] {
  return effect(line, 'path')?.spaces ?? [];
}

/** The start space that an act has reached. */
export function reached(line: Line | null): string | null {
  return effect(line, 'reaches')?.spaces[0] ?? null;
}

/** The space that a hop crosses; undefined for a step. */
export function between(spaces: Space[], from: Space, to: Space): Space | undefined {
  return spaces.find(({ x, y }) => x * 2 === from.x + to.x && y * 2 === from.y + to.y);
}

/** Whether two spaces are a step apart. */
export function isStep(from: Space, to: Space): boolean {
  return Math.abs(from.x - to.x) + Math.abs(from.y - to.y) === 2;
}

export function say(layout: Layout, line: Line, seats: Seat[]): string {
  const drawn = effect(line, 'draw') ? '; the game is drawn' : '';
  const path = effect(line, 'path');
  if (!path) return `${nameOf(seats, line.seat)} passes${drawn}.`;
  const { spaces } = layout;
  const clauses = [...motionWords(spaces, path.spaces, enteringSize(line) !== null), ...endWords(spaces, line, seats)];
  return `${ownedPyramid(path.value, seats)} ${list(clauses)}${drawn}.`;
}

/** "L enters b1", "b1–e3 over 3, covers a small red". */
export function brief({ spaces }: Layout, line: Line, seats: Seat[]): string {
  const path = effect(line, 'path');
  if (!path) return 'passes';
  const leaps = leapsOf(spaces, path.spaces);
  const size = enteringSize(line);
  const end = path.spaces.at(-1);
  const covered = effect(line, 'covers')?.value;
  return [
    `${size === null ? `${path.spaces[0]}–${end}` : `${size} enters ${end}`}${leaps ? ` over ${leaps}` : ''}`,
    ...(covered === undefined ? [] : [`covers a ${pyramidWords(covered, seats)}`]),
    ...(reached(line) === null ? [] : ['home!']),
  ].join(', ');
}

function leapsOf(spaces: Space[], path: string[]): number {
  const legs = path.map((name) => spaces.find((space) => space.name === name)!);
  return legs.slice(1).filter((to, i) => !isStep(legs[i]!, to)).length;
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
    ...(covered === undefined ? [] : [`covers ${ownedPyramid(covered, seats)}`]),
    ...(loser === undefined || loser === null ? [] : [`reaches ${nameOf(seats, loser)}'s start space and wins`]),
  ];
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const { board, spaces } = layout;
  const starts = spaces.flatMap(({ name, start }) => (start === null ? [] : [`${nameOf(seats, start)} at ${name}`]));
  const stacks = spaces.flatMap(({ name }) => {
    const stack = view.stacks[name];
    return stack ? [`${name}: ${stackWords(stack, seats)}`] : [];
  });
  const supplies = view.supply.map((supply, seat) => `${nameOf(seats, seat)} has ${supplyWords(supply)} left.`);
  return [
    turnWords(view, seats),
    stacks.length ? `On the ${board}: ${stacks.join('; ')}.` : `The ${board} is empty.`,
    ...supplies,
    `Start spaces: ${list(starts)}.`,
  ].join(' ');
}

/** The pyramid that has reached home (IF-16), or the reason for a draw (IF-17, IF-18). */
export function reason({ spaces }: Layout, view: View, seats: Seat[]): string {
  for (const { name, start } of spaces) {
    const top = view.stacks[name]?.at(-1);
    if (start === null || top === undefined) continue;
    const { seat, size } = readPyramid(top);
    return `${capital(whose(seats, seat))} ${SIZE_WORDS[size]} pyramid is on ${whose(seats, start)} start space, ${name}.`;
  }
  if (view.ended_by === 'IF-17') return 'Nobody could move.';
  return `Nobody got home in ${view.turn} turns.`;
}

function turnWords(view: View, seats: Seat[]): string {
  const limit = view.turn_limit ? ` of at most ${view.turn_limit}` : '';
  return standing(view, seats, `Turn ${view.turn + 1}${limit}`);
}

export function supplyWords(supply: Record<Size, number>): string {
  const parts = SIZES.filter((size) => supply[size] > 0).map((size) => `${supply[size]} ${SIZE_WORDS[size]}`);
  return parts.length ? list(parts) : 'no pyramids';
}
