/** What the acts of a turn have left to see, also while chance acts after it. */

import type { FrameOf } from '../../board/game-view';
import { touched } from './game';
import type { Piece } from './pieces';
import { formedBy, type Formed } from './shapes';
import type { Layout, Wire } from './wire';
import { capturedBy } from './words';

export interface Trail {
  /** The number of the last act, and its seat; -1: chance. */
  seq: number;
  seat: number;
  /** The way of the last act that has one. */
  path: string[];
  /** What all acts of the turn have formed and captured. */
  shapes: Formed[];
  captured: { piece: Piece; space: string }[];
}

export const NOTHING: Trail = { seq: -1, seat: -1, path: [], shapes: [], captured: [] };

/** The trail at a frame. It goes on with the acts of one turn, and stays while chance acts; after a leap it is new. */
export function follow(before: Trail, { seq, line, view }: FrameOf<Wire>, layout: Layout): Trail {
  if (!line) return { ...NOTHING, seq };
  const kept = seq === before.seq + 1 ? before : NOTHING;
  if (line.seat < 0) return { ...kept, seq, seat: -1 };
  const { path, shapes, captured } = kept.seat === line.seat ? kept : NOTHING;
  const way = touched(layout, line);
  return {
    seq,
    seat: line.seat,
    path: way.length > 0 ? way : path,
    shapes: [...shapes, ...formedBy(layout, line, view)],
    captured: [...captured, ...capturedBy(layout, line)],
  };
}
