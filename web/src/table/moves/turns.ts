/** The moves as the list tells them: an entry a turn, without what is not worth a line. */

import type { Line } from '../../wire';

export interface Turn {
  /** Whose it is; -1 as long as only chance has acted. */
  seat: number;
  /** The numbers of its first and its last act. */
  first: number;
  last: number;
  lines: Line[];
  words: string[];
}

const CHANCE = -1;

/**
 * `brief`: an act in a few words; null: it is listed only where it belongs to a turn. `alone`: no turn of another player
 * shows where one's own is over, so that each act has an entry.
 */
export function turnsOf(lines: Line[], brief: (line: Line) => string | null, alone = false): Turn[] {
  const turns: Turn[] = [];
  for (const line of lines) {
    const words = brief(line);
    const open = turns.at(-1);
    if (open && goesOn(open, line) && !(alone && open.seat !== CHANCE)) {
      open.lines.push(line);
      open.words = open.words.concat(words ?? []);
      open.seat = line.seat;
      open.last = line.seq;
    } else if (words !== null) {
      turns.push({ seat: line.seat, first: line.seq, last: line.seq, lines: [line], words: [words] });
    }
  }
  return turns;
}

/** These turns; those that are as they were `before` stay the same objects, which need not be shown anew. */
export function keep(turns: Turn[], before: Turn[]): Turn[] {
  const known = new Map(before.map((turn) => [turn.first, turn]));
  return turns.map((turn) => {
    const old = known.get(turn.first);
    return old && isSame(old, turn) ? old : turn;
  });
}

function isSame(one: Turn, other: Turn): boolean {
  return (
    one.lines.length === other.lines.length &&
    one.lines.every((line, i) => line === other.lines[i]) &&
    one.words.every((words, i) => words === other.words[i])
  );
}

/** A turn is one act, or what chance draws with all that its seat does about it. */
function goesOn({ lines, seat }: Turn, line: Line): boolean {
  return lines[0]?.seat === CHANCE && line.seat !== CHANCE && (seat === CHANCE || seat === line.seat);
}

/** The turn that a position is in or after; undefined: it is before all of them. */
export function turnAt(turns: Turn[], seq: number): Turn | undefined {
  return turns.findLast(({ first }) => first <= seq);
}

/** The position after the turn that comes next (`way` 1) or before (-1); before the first: what was before it. */
export function positionBeside(turns: Turn[], seq: number, way: -1 | 1): number {
  if (way > 0) return turns.find(({ last }) => last > seq)?.last ?? seq;
  return turns.findLast(({ last }) => last < seq)?.last ?? Math.max(0, Math.min(seq, turns[0]?.first ?? 1) - 1);
}
