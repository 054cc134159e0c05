/** The entries of the list of moves, one per turn, without acts that are not listed. */

import type { Line } from '../../wire';

export interface Turn {
  /** The seat; -1 while only chance has acted. */
  seat: number;
  /** The numbers of its first and its last act. */
  first: number;
  last: number;
  lines: Line[];
  words: string[];
}

const CHANCE = -1;

/**
 * `brief`: describes an act in a few words; null: the act is listed only as a part of a turn. `alone`: each act has an
 * entry, since no turns of other players separate them.
 */
export function turnsOf(lines: Line[], brief: (line: Line) => string | null, alone = false): Turn[] {
  const turns: Turn[] = [];
  for (const line of lines) {
    const words = brief(line);
    const open = turns.at(-1);
    if (open && belongsTo(open, line) && !(alone && open.seat !== CHANCE)) {
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

/**
 * The sentences about the latest turn of a player, and about what chance has changed since. `say`: the sentence about
 * an act, or about a roll of a seat.
 */
export function latestWords(lines: Line[], say: (line: Line, roller: number) => string): string {
  const turns = turnsOf(lines, () => '');
  const latest = turns.findLastIndex(({ seat }) => seat !== CHANCE);
  return turns
    .slice(Math.max(0, latest))
    .flatMap(({ seat, lines }) => lines.map((line) => ({ seat, line })))
    .filter(({ seat, line }) => seat !== CHANCE || line.effects.length > 0)
    .map(({ seat, line }) => say(line, seat))
    .join(' ');
}

/** Replaces unchanged turns by their objects in `before`, which need not be rendered again. */
export function reuse(turns: Turn[], before: Turn[]): Turn[] {
  const known = new Map(before.map((turn) => [turn.first, turn]));
  return turns.map((turn) => {
    const old = known.get(turn.first);
    return old && isSame(old, turn) ? old : turn;
  });
}

function isSame(a: Turn, b: Turn): boolean {
  return (
    a.lines.length === b.lines.length &&
    a.lines.every((line, i) => line === b.lines[i]) &&
    a.words.every((words, i) => words === b.words[i])
  );
}

/** A turn is a single act, or a draw of chance with all acts of its seat after it. */
function belongsTo({ lines, seat }: Turn, line: Line): boolean {
  return lines[0]?.seat === CHANCE && line.seat !== CHANCE && (seat === CHANCE || seat === line.seat);
}

/** The turn that a position is in or after; undefined: it is before all turns. */
export function turnAt(turns: Turn[], seq: number): Turn | undefined {
  return turns.findLast(({ first }) => first <= seq);
}

/** The position after the next (`way` 1) or the previous (-1) turn; at the first turn, the position before it. */
export function positionBeside(turns: Turn[], seq: number, way: -1 | 1): number {
  if (way > 0) return turns.find(({ last }) => last > seq)?.last ?? seq;
  return turns.findLast(({ last }) => last < seq)?.last ?? Math.max(0, Math.min(seq, turns[0]?.first ?? 1) - 1);
}
