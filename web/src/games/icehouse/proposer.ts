/** Proposes poses for the piece in hand: attacks on each target from all sides, or places to stand. */

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
  /** The colour of the hand's player. */
  own: () => Colour | null;
}

interface Proposed {
  /** Identifies the piece, its target and its stance. */
  key: string;
  poses: Pose[];
  index: number;
}

/** The current proposal: its number, and the number of all. */
export interface Shown {
  number: number;
  total: number;
}

export class Proposer {
  #table: Table;
  #target: string | null = null;
  #proposed: Proposed | null = null;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Called when the hand is emptied or takes another piece. */
  forget(): void {
    this.#target = this.#proposed = null;
  }

  /** The possible targets of the piece in hand, the most useful first. */
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

  /** Aims at a piece, or at the current target from the next side. Null: it can’t be attacked. */
  aimAt(piece: FieldPiece): Shown | null {
    const { hand } = this.#table;
    const again = !hand.pose.standing && this.#target === piece.id;
    return again ? this.next(false) : this.#aimAt(piece.id);
  }

  /** Shows the next proposal that still fits: an attack on the same target, or a place to stand. Null: none. */
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
      return { number: this.#proposed.index + 1, total: poses.length };
    }
    return null;
  }

  /** Aims from the best side; if that is impossible, the piece in hand stays as it is. */
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

/** The item after the current one, cyclically; the first if there is no current one. */
export function cycle<T>(all: readonly T[], isCurrent: (item: T) => boolean, back: boolean): T | undefined {
  const current = all.findIndex(isCurrent);
  if (back) return current < 0 ? all.at(-1) : all[(current + all.length - 1) % all.length];
  return all[(current + 1) % Math.max(1, all.length)];
}
