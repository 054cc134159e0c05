/** Views come new from the server each time; what has not changed is kept, so that it need not be drawn again. */

import type { FieldPiece } from './wire';

/** The new pieces, those that are as before being the old objects; all of the old list where nothing has changed. */
export function steady(before: readonly FieldPiece[], now: readonly FieldPiece[]): readonly FieldPiece[] {
  const known = new Map(before.map((piece) => [piece.id, piece]));
  const kept = now.map((piece) => {
    const old = known.get(piece.id);
    return old && isSame(old, piece) ? old : piece;
  });
  return kept.length === before.length && kept.every((piece, i) => piece === before[i]) ? before : kept;
}

function isSame(a: FieldPiece, b: FieldPiece): boolean {
  return (Object.keys(a) as (keyof FieldPiece)[]).every((key) => a[key] === b[key]);
}
