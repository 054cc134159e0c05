/** An act as it is shown: a pyramid comes down on a tower; in the end tower after tower gives up its number. */

import type { Look } from '../../pieces/projection';
import type { Piece } from '../../pieces/stack';
import type { Seat } from '../../wire';
import { share, top, type Leg, type Span } from '../../board/flight';
import type { Scene } from '../../board/playback.svelte';
import { inSight, piece } from './game';
import { effect } from '../../board/words';
import type { Line, Square, View } from './wire';

/** The cover of a square's number, which every tower stands on. */
export const COVER: Piece = { size: 'L', colour: 'grey' };

/**
 * On a square that has given up its number, the number and the points stand in a column of their own at `x`, where no
 * tower in front reaches up to; the tower shrinks and moves aside.
 */
export const ACCOUNT: Record<Look, { x: number; tower: number; shrinks: number }> = {
  iso: { x: -27, tower: 21, shrinks: 0.42 },
  top: { x: -19, tower: 18, shrinks: 0.42 },
};

/** Places are in files and ranks. */
export interface HighRiseScene extends Scene {
  /** What comes down, and on which square. */
  comer: { square: string; piece: Piece; legs: Leg[] } | null;
  /** When each square gives up its number. */
  reveals: Map<string, Span> | null;
  /** The dice are rolled. */
  rolls: boolean;
}

const HEIGHT = 120;
const DROP = 360;
const ROLL = 1300;
/** A square's account is shown so long, and all of them together. */
const STEP = { least: 250, most: 1500 };
const ACCOUNTS = 16_000;

/** `carried`: the pyramid already lies where it was put. */
export function planScene(
  before: View,
  line: Line,
  squares: Square[],
  seats: Seat[],
  carried: boolean,
): HighRiseScene | null {
  if (effect(line, 'rolls')) return { comer: null, reveals: null, rolls: true, milliseconds: ROLL };
  const places = effect(line, 'places');
  if (!places) return planReveal(squares);
  const square = squares.find(({ name }) => name === places.spaces[0]);
  if (!square || carried) return null;
  const comer = piece(places.value, seats);
  const rests = top([COVER, ...inSight(before.stacks[square.name] ?? [], seats), comer]);
  const to = { x: square.x, y: square.y, ...rests };
  const legs = [{ from: { ...to, z: to.z + HEIGHT }, to, arc: 0, milliseconds: DROP }];
  return { comer: { square: square.name, piece: comer, legs }, reveals: null, rolls: false, milliseconds: DROP };
}

function planReveal(squares: Square[]): HighRiseScene {
  const step = Math.min(STEP.most, Math.max(STEP.least, ACCOUNTS / squares.length));
  const reveals = new Map(squares.map(({ name }, i) => [name, { start: i * step, end: (i + 1) * step }]));
  const shows = (STAGES.shows[0] + STAGES.shows[1]) / 2;
  const times = { reveals: squares.map((_, i) => (i + shows) * step) };
  return { comer: null, reveals, rolls: false, milliseconds: squares.length * step, times };
}

/** How far the dice have rolled, from 0 to 1. */
export function rolled(scene: HighRiseScene | null, elapsed: number): number {
  return scene?.rolls ? share({ start: 0, end: scene.milliseconds }, elapsed) : 1;
}

/** How far a square has given up its number, from 0 to 1. */
export function revealed(scene: HighRiseScene | null, view: View, square: string, elapsed: number): number {
  if (view.account === null) return 0;
  const span = scene?.reveals?.get(square);
  return span ? share(span, elapsed) : 1;
}

/** A square's account in stages: its cover is taken off, its number shows, its points are counted. */
const STAGES = { opens: [0, 0.3], shows: [0.2, 0.4], scores: [0.5, 0.65] } as const;

/** How far a stage has come, from 0 to 1. */
export function stage(revealed: number, name: keyof typeof STAGES): number {
  const [start, end] = STAGES[name];
  return share({ start, end }, revealed);
}
