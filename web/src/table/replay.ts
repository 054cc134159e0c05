/** A game that is over as a line in time: where its acts lie, what is worth a jump, and how fast it goes by. */

import type { Line } from '../wire';

export interface Landmark {
  seq: number;
  seat: number;
  label: string;
}

/** Nobody wants to watch anybody think for longer, in milliseconds. */
const LONGEST_WAIT = 4000;
/** No faster than the eye. */
const SHORTEST_WAIT = 60;

/** The acts with an effect that a game names as worth a jump. */
export function landmarks(lines: Line[], names: Record<string, string>): Landmark[] {
  return lines.flatMap(({ seq, seat, effects }) => {
    const labels = new Set(effects.map(({ kind }) => names[kind]).filter((label) => label !== undefined));
    return labels.size > 0 ? [{ seq, seat, label: [...labels].join(', ') }] : [];
  });
}

/**
 * Where the position after `seq` acts lies: at its time, or by its number where acts come in turns. Of acts before the
 * first that is known no time is known: they are spread evenly.
 */
export function place(lines: Line[], seq: number, timed: boolean): number {
  if (!timed) return seq;
  const [first] = lines;
  if (!first || seq <= 0) return 0;
  const known = lines[Math.max(0, seq - first.seq)]?.at ?? 0;
  return seq < first.seq ? (known * seq) / first.seq : known;
}

/** The last position that lies there or before. */
export function positionAt(lines: Line[], where: number, timed: boolean): number {
  let seq = lines.at(-1)?.seq ?? 0;
  while (seq > 0 && place(lines, seq, timed) > where) seq -= 1;
  return seq;
}

/** How long to wait before act `seq` comes, in milliseconds. */
export function waitBefore(lines: Line[], seq: number, speed: number): number {
  const gap = place(lines, seq, true) - place(lines, seq - 1, true);
  return Math.max(SHORTEST_WAIT, Math.min(gap, LONGEST_WAIT) / speed);
}

/** The nearest landmark behind (`way` -1) or before (1) a position. */
export function nextLandmark(marks: Landmark[], seq: number, way: -1 | 1): Landmark | undefined {
  return way > 0 ? marks.find((mark) => mark.seq > seq) : marks.findLast((mark) => mark.seq < seq);
}

/** "3:07" */
export function clockWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
