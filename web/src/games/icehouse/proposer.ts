/** Proposes places for the piece in hand: one target after the other, each from one side after the other, or to stand. */

import type { Kind, Pose } from './acts';
import type { Camera } from './camera.svelte';
import type { Hand } from './hand.svelte';
import type { Ground } from './placing';
import { attacksOn, placesToStand, targetsFor } from './proposals';
import type { Colour, FieldPiece } from './wire';

interface Table {
  hand: Hand;
  camera: Camera;
  ground: () => Ground;
  /** The colour of the player whose hand it is. */
  own: () => Colour | null;
}

interface Proposed {
  /** For what: another piece, target or stance makes other proposals. */
  key: string;
  poses: Pose[];
  index: number;
}

/** The proposal that is shown now: its number, of so many. */
export interface Shown {
  number: number;
  of: number;
}

export class Proposer {
  #table: Table;
  #target: string | null = null;
  #proposed: Proposed | null = null;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The hand is empty or takes another piece: it begins with the best target. */
  forget(): void {
    this.#target = this.#proposed = null;
  }

  /** What the piece in hand could be pointed at, the most useful first. */
  get targets(): FieldPiece[] {
    const { hand, ground, own } = this.#table;
    return hand.held ? targetsFor(ground(), hand.held, own()) : [];
  }

  /** Aims at the next target that can be attacked. Null: none can. */
  nextTarget(back: boolean): Shown | null {
    const { targets } = this;
    for (const _ of targets) {
      const shown = this.#aimAt(cycle(targets, ({ id }) => id === this.#target, back)!.id);
      if (shown) return shown;
    }
    return null;
  }

  /** Aims at a piece; where that is aimed at, from the next side. Null: there is no way. */
  aimAt(piece: FieldPiece): Shown | null {
    const { hand } = this.#table;
    const again = !hand.pose.standing && this.#target === piece.id;
    return again ? this.next(false) : this.#aimAt(piece.id);
  }

  /** Shows the next proposal that still fits: an attack on the same target, or a place to stand. Null: there is none. */
  next(back: boolean): Shown | null {
    const { hand, camera } = this.#table;
    const held = hand.held!;
    const key = `${hand.name} ${hand.pose.standing ? '' : this.#target}`;
    if (this.#proposed?.key !== key) this.#proposed = { key, poses: this.#propose(held), index: -1 };
    const { poses } = this.#proposed;
    for (let tries = 0; tries < poses.length; tries++) {
      this.#proposed.index = (this.#proposed.index + (back ? poses.length - 1 : 1)) % poses.length;
      const pose = poses[this.#proposed.index]!;
      if (hand.ground.judge(held, pose).outcome !== 'fits') continue;
      hand.take(pose);
      camera.follow(pose);
      return { number: this.#proposed.index + 1, of: poses.length };
    }
    return null;
  }

  /** From the best side. Where there is no way, the piece in hand stays as it is. */
  #aimAt(id: string): Shown | null {
    const { hand } = this.#table;
    const before = hand.pose;
    this.#target = id;
    this.#proposed = null;
    hand.pose = { ...before, standing: false };
    const shown = this.next(false);
    if (!shown) hand.pose = before;
    return shown;
  }

  #propose(held: Kind): Pose[] {
    const { hand, ground } = this.#table;
    if (hand.pose.standing) return placesToStand(hand.ground, held, hand.pose);
    const target = ground().pieces.find(({ id }) => id === this.#target);
    return target ? attacksOn(hand.ground, held, target, hand.pose) : [];
  }
}

/** The one after that which is meant, round and round; the first where none is. */
export function cycle<T>(all: readonly T[], isHere: (one: T) => boolean, back: boolean): T | undefined {
  const here = all.findIndex(isHere);
  if (back) return here < 0 ? all.at(-1) : all[(here + all.length - 1) % all.length];
  return all[(here + 1) % Math.max(1, all.length)];
}
