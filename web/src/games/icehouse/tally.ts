/** The scores of a finished game, from the server's data about each piece (IH-33). */

import { seatOf } from './acts';
import { valueOf } from './geometry';
import type { FieldPiece, Layout, View } from './wire';

export interface Sum {
  seat: number;
  colour: string;
  /** The total value of free defenders, and of successful attackers. */
  standing: number;
  attacking: number;
  frozen: boolean;
}

/** By score, the lowest first. */
export function tally(view: View, layout: Layout): Sum[] {
  const sums = layout.colours.map((colour, seat) => {
    const counted = view.field.filter((piece) => piece.colour === colour && isScoring(piece, view, layout));
    const value = (standing: boolean): number =>
      counted.reduce((sum, piece) => (piece.standing === standing ? sum + valueOf(piece.size) : sum), 0);
    return { seat, colour, standing: value(true), attacking: value(false), frozen: view.in_icehouse.includes(seat) };
  });
  return sums.sort((a, b) => total(a) - total(b) || a.seat - b.seat);
}

export function total({ standing, attacking }: Sum): number {
  return standing + attacking;
}

export function sumWords(sum: Sum): string {
  if (sum.frozen) return 'in the icehouse';
  return `${sum.standing} defending + ${sum.attacking} attacking`;
}

/** Whether a piece currently counts for its colour's player (IH-33). */
export function isScoring(piece: FieldPiece, view: View, layout: Layout): boolean {
  if (view.in_icehouse.includes(seatOf(layout, piece.colour))) return false;
  if (piece.standing) return !piece.iced;
  return piece.valid === true && view.field.some(({ id, iced }) => id === piece.points_at && iced);
}
