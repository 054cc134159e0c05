/** What a finished game comes to, colour by colour: sums over what the server says of each piece (IH-33). */

import { seatOf } from './acts';
import { valueOf } from './geometry';
import type { FieldPiece, Layout, View } from './wire';

export interface Sum {
  seat: number;
  colour: string;
  /** The value of free standers, and of successful attackers. */
  standing: number;
  attacking: number;
  frozen: boolean;
}

/** In the order of their scores, the lowest first, as one tells them. */
export function tally(view: View, layout: Layout): Sum[] {
  const sums = layout.colours.map((colour, seat) => {
    const counted = view.field.filter((piece) => piece.colour === colour && isScoring(piece, view, layout));
    const worth = (standing: boolean): number =>
      counted.reduce((sum, piece) => (piece.standing === standing ? sum + valueOf(piece.size) : sum), 0);
    return { seat, colour, standing: worth(true), attacking: worth(false), frozen: view.in_icehouse.includes(seat) };
  });
  return sums.sort((one, other) => total(one) - total(other) || one.seat - other.seat);
}

export function total({ standing, attacking }: Sum): number {
  return standing + attacking;
}

export function sumWords(sum: Sum): string {
  if (sum.frozen) return 'in the icehouse';
  return `${sum.standing} defending + ${sum.attacking} attacking`;
}

/** Whether a piece counts for its colour's player as things lie (IH-33). */
export function isScoring(piece: FieldPiece, view: View, layout: Layout): boolean {
  if (view.in_icehouse.includes(seatOf(layout, piece.colour))) return false;
  if (piece.standing) return !piece.iced;
  return piece.valid === true && view.field.some(({ id, iced }) => id === piece.points_at && iced);
}
