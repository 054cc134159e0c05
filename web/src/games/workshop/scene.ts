/** An act as it is shown: what its effects do to the pieces, one after the other. */

import { leap, rest, type Mover, type Position } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import { pile, readPiece, SEVERAL } from './pieces';
import type { Line, Piece, View } from './wire';
import type { Point } from '../../pieces/projection';

/** A piece on its way, which comes at a time and may turn in another. */
export interface Flyer extends Mover {
  key: string;
  piece: Piece;
  /** Where it comes to. */
  space: string;
  comes: number;
  turns: { at: number; piece: Piece } | null;
}

export interface TableScene extends Scene {
  flyers: Flyer[];
  /** By space, the pieces that stay where they are. */
  still: Record<string, Piece[]>;
  /** What chance draws. */
  drawn: boolean;
}

interface Item {
  piece: Piece;
  flyer: Flyer | null;
}

const MOVE = 360;
/** Many moves in one act are faster. */
const LONGEST = 2400;
const HIGH = 110;
const HURDLE = 40;
const LEAVE = 320;
/** The part of a move after which what it takes begins to leave. */
const LANDS = 0.7;
/** How long a die rolls. */
export const ROLL = 800;

/** `carried`: what moves first lies already where it was put. */
export function planScene(
  before: View,
  line: Line,
  spot: (name: string) => Point,
  carried: boolean,
): TableScene | null {
  const table = new Flights(before, spot);
  const moving = line.effects.filter(({ kind }) => kind === 'moves' || kind === 'puts' || kind === 'turns');
  const step = Math.min(MOVE, LONGEST / Math.max(1, moving.length));
  const times: Record<string, number[]> = {};
  for (const one of line.effects) {
    if (one.kind === 'puts') table.put(readPiece(one.value), one.spaces[0], step);
    else if (one.kind === 'moves') {
      const count = Number(SEVERAL.exec(one.value)?.[1] ?? 1);
      table.move(...one.spaces, count, carried && one === moving[0] ? 0 : step);
    } else if (one.kind === 'takes') table.take(one.spaces[0]);
    else if (one.kind === 'turns') table.turn(one.spaces[0], readPiece(one.value), step);
    else if (one.kind === 'die' || one.kind === 'coin') table.now += ROLL;
    (times[one.kind] ??= []).push(table.now + (one.kind === 'takes' ? step * LANDS : 0));
  }
  const milliseconds = table.end();
  if (milliseconds === 0) return null;
  const drawn = line.effects.some(({ kind }) => kind === 'die' || kind === 'coin');
  return { flyers: table.flyers, still: table.still(), drawn, milliseconds, times };
}

/** The pieces in the course of an act. */
class Flights {
  now = 0;
  readonly flyers: Flyer[] = [];
  #stacks: Map<string, Item[]>;
  #spot: (name: string) => Point;
  /** Taken, and gone as soon as the piece is there that took them. */
  #taken: Flyer[] = [];
  #cleared = 0;

  constructor({ stacks }: View, spot: (name: string) => Point) {
    const items = ([name, pieces]: [string, Piece[]]) =>
      [name, pieces.map((piece): Item => ({ piece, flyer: null }))] as const;
    this.#stacks = new Map(Object.entries(stacks).map(items));
    this.#spot = spot;
  }

  put(piece: Piece, space: string, step: number): void {
    const item: Item = { piece, flyer: null };
    this.#on(space).push(item);
    const to = this.#place(space, item);
    const flyer = this.#fly(item, space, to);
    flyer.comes = this.now;
    flyer.legs = [rest(to, this.now), { from: { ...to, z: to.z + HIGH }, to, arc: 0, milliseconds: step }];
    this.#land(step);
  }

  move(here: string, there: string, count: number, step: number): void {
    const moved = this.#on(here).slice(-count);
    const starts = moved.map((item) => this.#place(here, item));
    this.#on(here).splice(-count);
    this.#on(there).push(...moved);
    for (const [i, item] of moved.entries()) {
      const [from, to] = [starts[i]!, this.#place(there, item)];
      const flyer = this.#fly(item, there, from);
      flyer.legs.push(step > 0 ? leap(from, to, Math.max(from.z, to.z) + HURDLE, step) : rest(to, 0));
    }
    this.#land(step);
  }

  take(space: string): void {
    const item = this.#on(space).at(-1);
    if (!item) return;
    this.#taken.push(this.#fly(item, space, this.#place(space, item)));
    this.#on(space).pop();
  }

  turn(space: string, piece: Piece, step: number): void {
    const item = this.#on(space).at(-1);
    if (!item) return;
    const at = this.#place(space, item);
    const flyer = this.#fly(item, space, at);
    flyer.legs.push(leap(at, at, at.z + HURDLE / 2, step));
    flyer.turns = { at: this.now + step / 2, piece };
    item.piece = piece;
    this.#land(step);
  }

  /** The time when all is over. */
  end(): number {
    this.#leave(this.now);
    return Math.max(this.now, this.#cleared);
  }

  still(): Record<string, Piece[]> {
    const left = [...this.#stacks].map(([name, items]): [string, Piece[]] => [
      name,
      items.filter(({ flyer }) => flyer === null).map(({ piece }) => piece),
    ]);
    return Object.fromEntries(left.filter(([, pieces]) => pieces.length > 0));
  }

  #on(space: string): Item[] {
    const found = this.#stacks.get(space) ?? [];
    this.#stacks.set(space, found);
    return found;
  }

  #place(space: string, item: Item): Position {
    const items = this.#on(space);
    const { z, lean } = pile(items.map(({ piece }) => piece))[items.indexOf(item)]!;
    return { ...this.#spot(space), z, lean };
  }

  /** The flyer of a piece, which has rested at its place until now. */
  #fly(item: Item, space: string, at: Position): Flyer {
    const { piece } = item;
    const flyer = (item.flyer ??= {
      key: `flyer ${this.flyers.length}`,
      piece,
      space,
      legs: [],
      comes: 0,
      turns: null,
      leaves: null,
    });
    flyer.space = space;
    if (!this.flyers.includes(flyer)) this.flyers.push(flyer);
    const flown = flyer.legs.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    flyer.legs.push(rest(at, this.now - flown));
    return flyer;
  }

  #land(step: number): void {
    this.#leave(this.now + step * LANDS);
    this.now += step;
  }

  #leave(start: number): void {
    if (this.#taken.length === 0) return;
    this.#cleared = start + LEAVE;
    for (const flyer of this.#taken) flyer.leaves = { start, end: this.#cleared };
    this.#taken = [];
  }
}
