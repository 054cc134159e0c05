/** The replay of a game that is over: its acts in time, its events, and its speed. */

import type { Line } from '../../wire';

export interface Landmark {
  seq: number;
  seat: number;
  label: string;
}

/** Longer thinking times are cut to this. */
const MAX_WAIT_MS = 4000;
/** Moves at shorter intervals could not be seen. */
const MIN_WAIT_MS = 60;

/** The position at the start of play: after the act with this effect. */
export function startOf(lines: Line[], effect: string | undefined): number {
  return lines.find(({ effects }) => effects.some(({ kind }) => kind === effect))?.seq ?? 0;
}

/** The acts with an effect that the game names as an event. */
export function landmarks(lines: Line[], names: Record<string, string>): Landmark[] {
  return lines.flatMap(({ seq, seat, effects }) => {
    const labels = new Set(effects.map(({ kind }) => names[kind]).filter((label) => label !== undefined));
    return labels.size > 0 ? [{ seq, seat, label: [...labels].join(', ') }] : [];
  });
}

/**
 * The place of the position after `seq` acts: its time or, with turns, its number. The unknown times of acts before the
 * first known one are spread evenly.
 */
export function place(lines: Line[], seq: number, timed: boolean): number {
  if (!timed) return seq;
  const [first] = lines;
  if (!first || seq <= 0) return 0;
  const known = lines[Math.max(0, seq - first.seq)]?.at ?? 0;
  return seq < first.seq ? (known * seq) / first.seq : known;
}

/** The last position at that place or before. */
export function positionAt(lines: Line[], where: number, timed: boolean): number {
  let seq = lines.at(-1)?.seq ?? 0;
  while (seq > 0 && place(lines, seq, timed) > where) seq -= 1;
  return seq;
}

/** The wait before act `seq`, in milliseconds; the minimum up to the `start` of play. */
export function waitBefore(lines: Line[], seq: number, speed: number, start = 0): number {
  const gap = seq <= start ? 0 : place(lines, seq, true) - place(lines, seq - 1, true);
  return Math.max(MIN_WAIT_MS, Math.min(gap, MAX_WAIT_MS) / speed);
}

/** The nearest landmark before (`way` -1) or after (1) a position. */
export function nextLandmark(marks: Landmark[], seq: number, way: -1 | 1): Landmark | undefined {
  return way > 0 ? marks.find((mark) => mark.seq > seq) : marks.findLast((mark) => mark.seq < seq);
}
