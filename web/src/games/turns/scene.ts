/** The animation of an act: the motions of its effects, one after another; leaps and falls of one kind together. */

import { leap, rest, type Mover, type Position, type Span } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import type { Point } from '../../pieces/projection';
import type { Seat } from '../../wire';
import { isCovered, SHOWN } from './accounts';
import { COVER, figureOf, pile, readPiece, stackOf, tipOf, type Figure, type Piece } from './pieces';
import type { AnyEffect, Layout, Line, Motion, View } from './wire';
import { between, effectsOf, lookOf, runs, SEVERAL } from './words';

/** A moving piece, which appears at a time and may turn into another. */
export interface Flyer extends Mover {
  key: string;
  figure: Figure;
  /** Its destination. */
  space: string;
  appears: number;
  turns: { at: number; figure: Figure } | null;
  /** A die turns around in the air. */
  spins: Span | null;
  /** The side that it falls to: -1 left, 1 right; 0: it does not fall. */
  side: number;
}

export interface TableScene extends Scene {
  flyers: Flyer[];
  /** By space: the pieces that do not move. */
  still: Map<string, Figure[]>;
  /** Whether there is a random draw. */
  drawn: boolean;
  /** When shapes light up. */
  glow: Span | null;
  /** When a coin beside the board turns over. */
  coin: Span | null;
  /** When the dice beside the board roll. */
  pool: Span | null;
  /** When covers are taken off, by space. */
  opens: Map<string, Span>;
}

/** The board on which an act is played. */
export interface Setting {
  layout: Layout;
  seats: Seat[];
  spot: (name: string) => Point;
}

interface Item {
  piece: Piece;
  flyer: Flyer | null;
}

/** A piece that was on a space, and where. */
interface Lifted {
  item: Item;
  from: Position;
}

const MOVE_MS = 360;
/** Each leg of a way. */
const LEG_MS = 260;
/** All moves of an act together. */
const MAX_MOVES_MS = 2400;
const DROP_HEIGHT = 110;
const HOP_HEIGHT = 40;
const LEAP_MS = 640;
const FALL_MS = 620;
/** Before leaps and falls. */
const PAUSE_MS = 140;
const LEAVE_MS = 320;
/** The part of a move after which the piece it takes starts to leave. */
const LEAVE_START = 0.7;
export const ROLL_MS = 1300;
const GLOW_MS = 900;
/** How long a shape and what it means stay before the next act. */
const SHAPE_MS = 1600;
const COIN_MS = 700;
const THROW_MS = 620;
/** How far a piece is thrown off the board, and how high. */
const THROW = { distance: 260, height: 150, arc: 40 };
/** The opening of a space, and of all together. */
const OPEN_MS = { min: 250, max: 1500, total: 16_000 };
const UNMOVING: readonly Motion[] = ['', 'take', 'throw', 'leap', 'fall', 'roll', 'open'];

/** `carried`: the first piece to move is already in its place. */
export function planScene(
  before: View,
  after: View,
  line: Line,
  setting: Setting,
  carried: boolean,
): TableScene | null {
  const { layout } = setting;
  const flights = new Flights(before, after, setting);
  const effects = effectsOf(layout, line);
  const moving = effects.filter((effect) => !UNMOVING.includes(lookOf(layout, effect).motion));
  const step = Math.min(MOVE_MS, MAX_MOVES_MS / Math.max(1, moving.length));
  const opening = line.effects.filter((effect) => lookOf(layout, effect).motion === 'open').length;
  const opens = Math.min(OPEN_MS.max, Math.max(OPEN_MS.min, OPEN_MS.total / Math.max(1, opening)));
  const rolls = (effect: AnyEffect): boolean => {
    const { sound, motion } = lookOf(layout, effect);
    return line.seat < 0 && /roll|coin/.test(sound) && motion === '';
  };
  const times: Record<string, number[]> = {};
  const turnsCoin = ({ kind }: AnyEffect): boolean => line.seat >= 0 && layout.shows?.[kind]?.form === 'coin';
  let lit: Span | null = null;
  let coin: Span | null = null;
  for (const run of runs(layout, effects)) {
    const { motion, shape } = lookOf(layout, run[0]!);
    const together = motion === 'leap' ? LEAP_MS : motion === 'fall' ? FALL_MS : 0;
    if (together && flights.now > 0) flights.now += PAUSE_MS;
    for (const effect of run) {
      if (rolls(effect)) flights.now += ROLL_MS;
      const time = motion === 'open' ? opens : carried && effect === moving[0] ? 0 : step;
      const seen = flights.play(effect, motion, time);
      (times[effect.kind] ??= []).push(...seen);
      if (turnsCoin(effect)) coin = { start: flights.now, end: flights.now + COIN_MS };
    }
    if (shape) {
      lit ??= { start: flights.now, end: 0 };
      flights.now = lit.start + GLOW_MS;
    }
    flights.now += together;
  }
  const last = flights.end();
  const milliseconds = Math.max(last, coin?.end ?? 0);
  if (milliseconds === 0) return null;
  return {
    flyers: flights.flyers,
    still: flights.still(),
    drawn: effects.some(rolls),
    glow: lit && { ...lit, end: Math.max(last, lit.start + GLOW_MS + THROW_MS) },
    coin,
    pool: flights.pool,
    opens: flights.opens,
    milliseconds,
    times,
    lasting: lit ? SHAPE_MS : 0,
  };
}

/** The pieces during an act. */
class Flights {
  now = 0;
  readonly flyers: Flyer[] = [];
  readonly opens = new Map<string, Span>();
  pool: Span | null = null;
  #stacks: Map<string, Item[]>;
  #after: View;
  #setting: Setting;
  /** Taken pieces, which leave when the piece that takes them lands. */
  #taken: Flyer[] = [];
  #clearedAt = 0;
  /** Where the last leaps ended: pieces fall away from there. */
  #landed = -Infinity;

  constructor(before: View, after: View, setting: Setting) {
    const items = (name: string) =>
      stackOf(before, name, setting.layout.kinds).map((piece): Item => ({ piece, flyer: null }));
    this.#stacks = new Map(Object.keys(before.stacks).map((name) => [name, items(name)]));
    this.#after = after;
    this.#setting = setting;
  }

  /** Returns the times when the effect is seen. */
  play({ spaces, value }: AnyEffect, motion: Motion, step: number): number[] {
    const [here, there] = [spaces[0], spaces.at(-1)];
    if (motion === 'roll') {
      this.pool = { start: this.now, end: this.now + ROLL_MS };
      this.now += ROLL_MS;
      return [this.pool.start];
    }
    if (motion === '' || here === undefined || there === undefined) return [this.now];
    const text = String(value ?? '');
    const piece = readPiece(text, this.#setting.layout.kinds);
    switch (motion) {
      case 'put':
        return this.#put(piece, here, step);
      case 'move':
        return this.#move(this.#lift(here, Number(SEVERAL.exec(text)?.[1] ?? 1), piece), here, there, step);
      case 'path':
        this.#enter(here, piece);
        return spaces
          .slice(1)
          .flatMap((to, i) => this.#move(this.#lift(spaces[i]!), spaces[i]!, to, Math.min(step, LEG_MS), 0));
      case 'swap': {
        const [one, other] = [this.#lift(here), this.#lift(there)];
        this.#carry(one, there, HOP_HEIGHT, step);
        this.#carry(other, here, 3 * HOP_HEIGHT, step);
        return this.#land(step);
      }
      case 'leap':
        return this.#leap(here, spaces.slice(1, -1), there, piece);
      case 'take':
        this.#taken.push(...this.#lift(here).map(({ item, from }) => this.#fly(item, here, from)));
        return [this.now + step * LEAVE_START];
      case 'throw':
        return this.#throw(here);
      case 'fall':
        return this.#fall(here);
      case 'open':
        this.opens.set(here, { start: this.now, end: this.now + step });
        this.now += step;
        return [this.now - step * (1 - SHOWN)];
      case 'turn':
        return this.#turn(here, piece, step);
    }
  }

  /** Returns the duration of the scene. */
  end(): number {
    this.#leave(this.now);
    return Math.max(this.now, this.#clearedAt);
  }

  still(): Map<string, Figure[]> {
    const left = [...this.#stacks].map(([name, items]): [string, Figure[]] => [
      name,
      items.filter(({ flyer }) => flyer === null).map((item) => this.#figure(item.piece)),
    ]);
    return new Map(left.filter(([, figures]) => figures.length > 0));
  }

  /** An effect may name a die without its face, which the next position shows. */
  #put(named: Piece, space: string, step: number): number[] {
    const isIt = ({ kind }: Piece): boolean => kind.startsWith(named.kind);
    const { kinds } = this.#setting.layout;
    const piece = (kinds[named.kind]?.sides && stackOf(this.#after, space, kinds).findLast(isIt)) || named;
    const item: Item = { piece, flyer: null };
    this.#on(space).push(item);
    const to = this.#place(space, item);
    const flyer = this.#fly(item, space, to);
    flyer.appears = this.now;
    flyer.legs = [rest(to, this.now), { from: { ...to, z: to.z + DROP_HEIGHT }, to, arc: 0, milliseconds: step }];
    return this.#land(step);
  }

  /** A piece that does not stand where its way begins comes in there. */
  #enter(space: string, piece: Piece): void {
    const top = this.#on(space).at(-1);
    if (!top || !isSame(top.piece, piece)) this.#on(space).push({ piece, flyer: null });
  }

  /** Removes the topmost pieces of a space; `piece`: the one that is meant, which another may cover. */
  #lift(space: string, count = 1, piece?: Piece): Lifted[] {
    const items = this.#on(space);
    const found = piece && count === 1 ? items.findLastIndex((item) => isSame(item.piece, piece)) : -1;
    const first = found < 0 ? Math.max(0, items.length - count) : found;
    const lifted = items.slice(first, first + count).map((item) => ({ item, from: this.#place(space, item) }));
    items.splice(first, count);
    return lifted;
  }

  /** Flies pieces to a space, over a hurdle. `hop`: the least height. */
  #carry(lifted: Lifted[], target: string, hurdle: number, milliseconds: number, hop = HOP_HEIGHT): Flyer[] {
    this.#on(target).push(...lifted.map(({ item }) => item));
    return lifted.map(({ item, from }) => {
      const to = this.#place(target, item);
      const flyer = this.#fly(item, target, from);
      const height = Math.max(hurdle, from.z + hop, to.z + hop);
      flyer.legs.push(milliseconds > 0 ? leap(from, to, height, milliseconds) : rest(to, 0));
      return flyer;
    });
  }

  #move(lifted: Lifted[], origin: string, target: string, step: number, hop = HOP_HEIGHT): number[] {
    const crossed = between(this.#setting.layout.spaces, origin, target);
    this.#carry(lifted, target, crossed === undefined ? 0 : this.#tip(crossed), step, hop);
    return this.#land(step);
  }

  /** A die turns around in the air, to its new face. */
  #leap(origin: string, over: readonly string[], target: string, piece: Piece): number[] {
    const lifted = this.#lift(origin);
    const hurdle = Math.max(0, ...over.map((name) => this.#tip(name)));
    for (const flyer of this.#carry(lifted, target, hurdle, LEAP_MS)) {
      flyer.turns = { at: this.now + LEAP_MS / 2, figure: this.#figure(piece) };
      flyer.spins = flyer.figure.sides > 0 ? { start: this.now, end: this.now + LEAP_MS } : null;
      this.#landed = Math.max(this.#landed, this.#setting.spot(target).x);
    }
    for (const { item } of lifted) item.piece = piece;
    return [this.now];
  }

  /** A piece is thrown off the board, over the nearer side. */
  #throw(space: string): number[] {
    const { layout, spot } = this.#setting;
    const all = layout.spaces.map(({ name }) => spot(name).x);
    const middle = (Math.min(...all) + Math.max(...all)) / 2;
    for (const { item, from } of this.#lift(space)) {
      const flyer = this.#fly(item, space, from);
      const x = from.x + (from.x > middle ? 1 : -1) * THROW.distance;
      flyer.legs.push({ from, to: { ...from, x, z: THROW.height }, arc: THROW.arc, milliseconds: THROW_MS });
      flyer.leaves = { start: this.now, end: this.now + THROW_MS };
      this.#clearedAt = Math.max(this.#clearedAt, flyer.leaves.end);
    }
    return [this.now];
  }

  #fall(space: string): number[] {
    for (const { item, from } of this.#lift(space)) {
      const flyer = this.#fly(item, space, from);
      flyer.leaves = { start: this.now, end: this.now + FALL_MS };
      flyer.side = from.x < this.#landed ? -1 : 1;
    }
    return [this.now];
  }

  #turn(space: string, piece: Piece, step: number): number[] {
    const item = this.#on(space).at(-1);
    if (!item) return [];
    const at = this.#place(space, item);
    const flyer = this.#fly(item, space, at);
    flyer.legs.push(leap(at, at, at.z + HOP_HEIGHT / 2, step));
    flyer.turns = { at: this.now + step / 2, figure: this.#figure(piece) };
    item.piece = piece;
    return this.#land(step);
  }

  #figure(piece: Piece): Figure {
    return figureOf(piece, this.#setting.layout.kinds, this.#setting.seats);
  }

  #figures(space: string): Figure[] {
    return this.#on(space).map(({ piece }) => this.#figure(piece));
  }

  #tip(space: string): number {
    return tipOf(this.#figures(space));
  }

  #on(space: string): Item[] {
    const found = this.#stacks.get(space) ?? [];
    this.#stacks.set(space, found);
    return found;
  }

  #place(space: string, item: Item): Position {
    const figures = this.#figures(space);
    const own = figures[this.#on(space).indexOf(item)];
    const ground = isCovered(this.#setting.layout, this.#after, space) ? [COVER] : [];
    const found = pile([...ground, ...figures]).find(({ figure }) => figure === own);
    return { ...this.#setting.spot(space), z: found?.z ?? 0, lean: found?.lean ?? 0 };
  }

  /** Returns the flyer of a piece, which rests at its place until now. */
  #fly(item: Item, space: string, at: Position): Flyer {
    const flyer = (item.flyer ??= {
      key: `flyer ${this.flyers.length}`,
      figure: this.#figure(item.piece),
      space,
      legs: [],
      appears: 0,
      turns: null,
      spins: null,
      side: 0,
      leaves: null,
    });
    flyer.space = space;
    if (!this.flyers.includes(flyer)) this.flyers.push(flyer);
    const flown = flyer.legs.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
    flyer.legs.push(rest(at, this.now - flown));
    return flyer;
  }

  #land(step: number): number[] {
    this.#leave(this.now + step * LEAVE_START);
    this.now += step;
    return [this.now];
  }

  #leave(start: number): void {
    if (this.#taken.length === 0) return;
    const end = start + LEAVE_MS;
    this.#clearedAt = Math.max(this.#clearedAt, end);
    for (const flyer of this.#taken) flyer.leaves = { start, end };
    this.#taken = [];
  }
}

function isSame(a: Piece, b: Piece): boolean {
  return a.kind === b.kind && a.colour === b.colour && a.heading === b.heading;
}
