/** The animation of an act: a pyramid drops on a tower; at the end, tower after tower reveals its number. */

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
 * On a square that has revealed its number, the number and the points are in a column at `x`, where no tower in front
 * covers them; the tower shrinks and moves aside.
 */
export const ACCOUNT: Record<Look, { x: number; tower: number; shrinks: number }> = {
  iso: { x: -27, tower: 21, shrinks: 0.42 },
  top: { x: -19, tower: 18, shrinks: 0.42 },
};

/** Positions are in files and ranks. */
export interface HighRiseScene extends Scene {
  drop: { square: string; piece: Piece; legs: Leg[] } | null;
  /** When each square reveals its number. */
  reveals: Map<string, Span> | null;
  rolls: boolean;
}

const DROP_HEIGHT = 120;
const DROP_MS = 360;
const ROLL_MS = 1300;
/** Per square, and in total. */
const REVEAL_MS = { min: 250, max: 1500, total: 16_000 };

/** `carried`: the pyramid is already in its place. */
export function planScene(
  before: View,
  line: Line,
  squares: Square[],
  seats: Seat[],
  carried: boolean,
): HighRiseScene | null {
  if (effect(line, 'rolls')) return { drop: null, reveals: null, rolls: true, milliseconds: ROLL_MS };
  const places = effect(line, 'places');
  if (!places) return planReveal(squares);
  const square = squares.find(({ name }) => name === places.spaces[0]);
  if (!square || carried) return null;
  const pyramid = piece(places.value, seats);
  const rests = top([COVER, ...inSight(before.stacks[square.name] ?? [], seats), pyramid]);
  const to = { x: square.x, y: square.y, ...rests };
  const legs = [{ from: { ...to, z: to.z + DROP_HEIGHT }, to, arc: 0, milliseconds: DROP_MS }];
  const drop = { square: square.name, piece: pyramid, legs };
  return { drop, reveals: null, rolls: false, milliseconds: DROP_MS };
}

function planReveal(squares: Square[]): HighRiseScene {
  const step = Math.min(REVEAL_MS.max, Math.max(REVEAL_MS.min, REVEAL_MS.total / squares.length));
  const reveals = new Map(squares.map(({ name }, i) => [name, { start: i * step, end: (i + 1) * step }]));
  const shows = (STAGES.shows[0] + STAGES.shows[1]) / 2;
  const times = { reveals: squares.map((_, i) => (i + shows) * step) };
  return { drop: null, reveals, rolls: false, milliseconds: squares.length * step, times };
}

/** The progress of the dice, from 0 to 1. */
export function rolled(scene: HighRiseScene | null, elapsed: number): number {
  return scene?.rolls ? share({ start: 0, end: scene.milliseconds }, elapsed) : 1;
}

/** The progress of a square's reveal, from 0 to 1. */
export function revealed(scene: HighRiseScene | null, view: View, square: string, elapsed: number): number {
  if (view.account === null) return 0;
  const span = scene?.reveals?.get(square);
  return span ? share(span, elapsed) : 1;
}

/** The stages of a reveal: the cover is removed, the number is shown, the points are counted. */
const STAGES = { opens: [0, 0.3], shows: [0.2, 0.4], scores: [0.5, 0.65] } as const;

/** The progress of a stage, from 0 to 1. */
export function stage(revealed: number, name: keyof typeof STAGES): number {
  const [start, end] = STAGES[name];
  return share({ start, end }, revealed);
}
