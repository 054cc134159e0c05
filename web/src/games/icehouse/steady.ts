import type { FieldPiece } from './wire';

/** The new pieces, with old objects for unchanged ones, which need not be drawn again; the old list if nothing has changed. */
export function steady(before: readonly FieldPiece[], now: readonly FieldPiece[]): readonly FieldPiece[] {
  const known = new Map(before.map((piece) => [piece.id, piece]));
  const result = now.map((piece) => {
    const old = known.get(piece.id);
    return old && isSame(old, piece) ? old : piece;
  });
  return result.length === before.length && result.every((piece, i) => piece === before[i]) ? before : result;
}

function isSame(a: FieldPiece, b: FieldPiece): boolean {
  return (Object.keys(a) as (keyof FieldPiece)[]).every((key) => a[key] === b[key]);
}
