/** Words for the pieces of Icehouse, their places and states. */

import { counted, list } from '../../app/words';
import { SIZE_WORDS } from '../../pieces/solid';
import type { Seat } from '../../wire';
import { type Kind, seatOf } from './acts';
import type { FieldPiece, Layout } from './wire';
import { everyone, nameOf, numberWords } from '../../board/words';
import { gap, valueOf, type Spot } from './geometry';
import { footprintOf, type Ground, type Verdict } from './placing';

/** The seat that a text is for: its own pieces are "your" pieces. */
export interface Reader {
  layout: Layout;
  seats: Seat[];
  seat: number | null;
}

const DIRECTIONS = ['east', 'northeast', 'north', 'northwest', 'west', 'southwest', 'south', 'southeast'];

export function inches(thousandths: number): string {
  const rounded = (thousandths / 1000).toFixed(1);
  return rounded === '1.0'
    ? '1 inch'
    : `${rounded.replace(/\.0$/, '')} inches`.replace(/^0\.(.*) inches$/, '0.$1 inch');
}

/** The compass direction from one spot to another; north is up. */
export function directionTo(from: Spot, to: Spot): string {
  const eighths = Math.round((Math.atan2(to.y - from.y, to.x - from.x) / Math.PI) * 4);
  return DIRECTIONS[(eighths + 8) % 8]!;
}

/** "large green". */
export function kindWords({ size, colour }: Kind): string {
  return `${SIZE_WORDS[size]} ${colour}`;
}

/** "large", "large green": a player's own pieces are named by size. */
export function short(kind: Kind, own: string | undefined): string {
  return kind.colour === own ? SIZE_WORDS[kind.size] : kindWords(kind);
}

/** "you and Ben": players within a sentence. */
export function names(seats: Seat[], numbers: number[]): string {
  return everyone(seats, numbers).replace(/^You\b/, 'you');
}

/** "your medium", "large green". */
export function pieceWords({ layout, seat }: Reader, { size, colour }: Kind): string {
  const own = seat !== null && layout.colours[seat] === colour;
  return own ? `your ${SIZE_WORDS[size]}` : kindWords({ size, colour });
}

/** "your medium piece", "the large green piece". */
function nounPhrase(reader: Reader, kind: Kind): string {
  const words = pieceWords(reader, kind);
  return `${words.startsWith('your ') ? '' : 'the '}${words} piece`;
}

/** "the large red piece and your two medium pieces". */
function nounPhrases(reader: Reader, kinds: readonly Kind[]): string {
  const all = kinds.map((kind) => nounPhrase(reader, kind));
  return list(
    [...new Set(all)].map((words) => {
      const count = all.filter((other) => other === words).length;
      return count === 1 ? words : words.replace(/^(the|your) (.*)$/, `$1 ${numberWords(count)} $2s`);
    }),
  );
}

export function seatWords({ layout, seats }: Reader, colour: string): string {
  return nameOf(seats, seatOf(layout, colour));
}

/** "number 3": identifies a piece among others that look alike; the field shows the number if a text names it. */
export function idWords(id: string): string {
  return `number ${id.slice(1)}`;
}

/** The ids of the pieces that a text names by number. */
export function idsIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\bnumber (\d+)\b/g)].map(([, number]) => `p${number}`));
}

/** "your medium number 3". */
export function fullName(reader: Reader, piece: FieldPiece): string {
  return `${pieceWords(reader, piece)} ${idWords(piece.id)}`;
}

/** The state of a piece on the field: "is iced by 1 pip", "attacks your medium number 3"; `targetWords` names its target. */
export function stateWords(
  reader: Reader,
  piece: FieldPiece,
  pieces: readonly FieldPiece[],
  targetWords: typeof fullName = fullName,
): string {
  if (piece.standing) {
    const over = excess(piece, pieces);
    return piece.iced ? `is iced by ${counted(over, 'pip')}` : 'stands free';
  }
  const target = pieces.find(({ id }) => id === piece.points_at);
  if (!target) return 'points at nothing';
  const name = targetWords(reader, target);
  if (!piece.valid) return `points in vain at ${name}`;
  if (!piece.redundant) return `attacks ${name}`;
  const isOwn = seatOf(reader.layout, target.colour) === reader.seat;
  return `attacks ${name}, one too many: ${isOwn ? 'you' : seatWords(reader, target.colour)} may capture it`;
}

/** The total value of a standing piece's attackers, minus its own value. */
export function excess(piece: FieldPiece, pieces: readonly FieldPiece[]): number {
  return attackersOf(piece, pieces).reduce((sum, { size }) => sum + valueOf(size), 0) - valueOf(piece.size);
}

export function attackersOf(piece: FieldPiece, pieces: readonly FieldPiece[]): FieldPiece[] {
  return pieces.filter((other) => other.valid && other.points_at === piece.id);
}

/** "number 12: large green, attacks your medium number 3, one too many: you may capture it". */
export function fieldWords(reader: Reader, piece: FieldPiece, pieces: readonly FieldPiece[]): string {
  return `${idWords(piece.id)}: ${pieceWords(reader, piece)}, ${stateWords(reader, piece, pieces)}`;
}

/** "the large green piece attacks your medium": for those who see the pieces. */
export function seenWords(reader: Reader, piece: FieldPiece, pieces: readonly FieldPiece[]): string {
  return `${nounPhrase(reader, piece)} ${stateWords(reader, piece, pieces, pieceWords)}`;
}

/** "large green number 12 lies 0.4 inch east of your medium number 3, which is iced by 1 pip". */
export function lyingWords(reader: Reader, piece: FieldPiece, pieces: readonly FieldPiece[]): string {
  const target = pieces.find(({ id }) => id === piece.points_at);
  const name = fullName(reader, piece);
  if (!target) return `${name} lies and points at nothing`;
  const distance = inches(gap(footprintOf(reader.layout, piece), footprintOf(reader.layout, target)));
  const where = `${distance} ${directionTo(target, piece)} of ${fullName(reader, target)}`;
  return `${name} lies ${where}${target.standing ? `, which ${stateWords(reader, target, pieces)}` : ''}`;
}

/** The result of letting go the piece in hand: "OK to stand here", "attacks the small red piece, and ices it". */
export function verdictWords(reader: Reader, kind: Kind, verdict: Verdict, ground: Ground): string {
  const { target, touched, outcome, early } = verdict;
  const pieces = nounPhrases(reader, touched);
  switch (outcome) {
    case 'off-field':
      return 'would stick out over the edge of the field: move it in';
    case 'crash':
      return `overlaps ${pieces}: move it aside – a crash would cost you this piece`;
    case 'overlaps':
    case 'overlaps-deeply':
      return `overlaps ${pieces}: move it aside`;
    case 'too-early':
      return 'too early to attack: first two pieces of this colour have to stand';
    case 'points-at-nothing':
      return 'points at nothing: turn it towards a standing piece';
    case 'points-at-crack':
      return `points at nothing: there is no gap between ${pieces}`;
    case 'points-at-attacker':
      return `points at ${pieces}, which is lying down: only a standing piece can be attacked`;
    case 'points-at-own-colour':
      return `points at ${pieces}, of its own colour: turn it towards another`;
    case 'out-of-range':
      return `too far from ${pieces}: ${inches(verdict.distance ?? 0)} away, but it reaches less than ${inches(verdict.piece.range)}`;
    case 'fits': {
      if (!target) return 'OK to stand here';
      const over = excess(target, ground.pieces) + valueOf(kind.size);
      const missing = counted(1 - over, 'more pip');
      const short = over > 0 ? ', and ices it' : `: ${missing} would ice it`;
      const ices = target.iced ? ', which is iced already: this one could be captured' : short;
      const melts = early ? '. Too early: a call of meltdown would send it back' : '';
      return `attacks ${nounPhrase(reader, target)}${ices}${melts}`;
    }
  }
}
