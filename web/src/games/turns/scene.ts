/** The animation of an act: its effects on the pieces, one after another. */

import { leap, rest, type Mover, type Position } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import { pile, readPiece, SEVERAL } from './pieces';
import type { Line, Piece, View } from './wire';
import type { Point } from '../../pieces/projection';

/** A moving piece, which appears at a time and may turn into another. */
export interface Flyer extends Mover {
  key: string;
  piece: Piece;
  /** Its destination. */
  space: string;
  appears: number;
  turns: { at: number; piece: Piece } | null;
}

export interface TableScene extends Scene {
  flyers: Flyer[];
  /** By space: the pieces that do not move. */
  still: Record<string, Piece[]>;
  /** Whether there is a random draw. */
  drawn: boolean;
}

interface Item {
  piece: Piece;
  flyer: Flyer | null;
}

const MOVE_MS = 360;
/** All moves of an act together. */
const MAX_MOVES_MS = 2400;
const DROP_HEIGHT = 110;
const LEAP_HEIGHT = 40;
const LEAVE_MS = 320;
/** The part of a move after which the piece it takes starts to leave. */
const LEAVE_START = 0.7;
export const ROLL_MS = 800;

/** `carried`: the first piece to move is already in its place. */
export function planScene(
  before: View,
  line: Line,
  spot: (name: string) => Point,
  carried: boolean,
): TableScene | null {
  const table = new Flights(before, spot);
  const moving = line.effects.filter(({ kind }) => kind === 'moves' || kind === 'puts' || kind === 'turns');
  const step = Math.min(MOVE_MS, MAX_MOVES_MS / Math.max(1, moving.length));
  const times: Record<string, number[]> = {};
  for (const effect of line.effects) {
    if (effect.kind === 'puts') table.put(readPiece(effect.value), effect.spaces[0], step);
    else if (effect.kind === 'moves') {
      const count = Number(SEVERAL.exec(effect.value)?.[1] ?? 1);
      table.move(...effect.spaces, count, carried && effect === moving[0] ? 0 : step);
    } else if (effect.kind === 'takes') table.take(effect.spaces[0]);
    else if (effect.kind === 'turns') table.turn(effect.spaces[0], readPiece(effect.value), step);
    else if (effect.kind === 'die' || effect.kind === 'coin') table.now += ROLL_MS;
    (times[effect.kind] ??= []).push(table.now + (effect.kind === 'takes' ? step * LEAVE_START : 0));
  }
  const milliseconds = table.end();
  if (milliseconds === 0) return null;
  const drawn = line.effects.some(({ kind }) => kind === 'die' || kind === 'coin');
  return { flyers: table.flyers, still: table.still(), drawn, milliseconds, times };
}

/** The pieces during an act. */
class Flights {
  now = 0;
  readonly flyers: Flyer[] = [];
  #stacks: Map<string, Item[]>;
  #spot: (name: string) => Point;
  /** Taken pieces, which leave when the piece that takes them lands. */
  #taken: Flyer[] = [];
  #clearedAt = 0;

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
    flyer.appears = this.now;
    flyer.legs = [rest(to, this.now), { from: { ...to, z: to.z + DROP_HEIGHT }, to, arc: 0, milliseconds: step }];
    this.#land(step);
  }

  move(origin: string, target: string, count: number, step: number): void {
    const moved = this.#on(origin).slice(-count);
    const starts = moved.map((item) => this.#place(origin, item));
    this.#on(origin).splice(-count);
    this.#on(target).push(...moved);
    for (const [i, item] of moved.entries()) {
      const [from, to] = [starts[i]!, this.#place(target, item)];
      const flyer = this.#fly(item, target, from);
      flyer.legs.push(step > 0 ? leap(from, to, Math.max(from.z, to.z) + LEAP_HEIGHT, step) : rest(to, 0));
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
    flyer.legs.push(leap(at, at, at.z + LEAP_HEIGHT / 2, step));
    flyer.turns = { at: this.now + step / 2, piece };
    item.piece = piece;
    this.#land(step);
  }

  /** Returns the duration of the scene. */
  end(): number {
    this.#leave(this.now);
    return Math.max(this.now, this.#clearedAt);
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

  /** Returns the flyer of a piece, which rests at its place until now. */
  #fly(item: Item, space: string, at: Position): Flyer {
    const { piece } = item;
    const flyer = (item.flyer ??= {
      key: `flyer ${this.flyers.length}`,
      piece,
      space,
      legs: [],
      appears: 0,
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
    this.#leave(this.now + step * LEAVE_START);
    this.now += step;
  }

  #leave(start: number): void {
    if (this.#taken.length === 0) return;
    this.#clearedAt = start + LEAVE_MS;
    for (const flyer of this.#taken) flyer.leaves = { start, end: this.#clearedAt };
    this.#taken = [];
  }
}
