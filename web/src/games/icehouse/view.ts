/** What the server tells of Icehouse: its layout, view and acts. Which acts are legal the server says. */

import type { Size } from '../../pieces/solid';
import type { Layout, View } from '../../wire';
import type { Lengths } from './geometry';
import type { Kind, Pose } from './placing';

/** Lengths in thousandths of an inch, the tolerance in millionths. */
export interface IceLayout {
  width: number;
  height: number;
  lengths: Lengths;
  tolerance: number;
  /** The range is measured along the ray, not as the gap (IH-11). */
  along_ray: boolean;
  /** A deep overlap is a crash, not merely refused (IH-30). */
  crashes: boolean;
  /** Attacks that come too early are refused (IH-13). */
  prevents: boolean;
  /** By seat. */
  colours: string[];
}

/** `valid` and `redundant` tell of lying pieces, `iced` of standing ones. */
export interface FieldPiece {
  id: string;
  colour: string;
  size: Size;
  x: number;
  y: number;
  /** In degrees. */
  heading: number;
  standing: boolean;
  points_at: string | null;
  valid: boolean | null;
  iced: boolean | null;
  redundant: boolean | null;
}

/** How many of each size, by colour. */
export type PadOf = Record<string, Partial<Record<Size, number>>>;

export interface IceView extends View {
  /** Seats. */
  ready: number[];
  field: FieldPiece[];
  pads: PadOf[];
  /** By seat: "L:red". */
  hands: (string | null)[];
  in_icehouse: number[];
  /** By seat: what it crashed with; null where it may choose. */
  owed: Record<string, string | null>;
}

export function readLayout(layout: Layout): IceLayout {
  return layout as unknown as IceLayout;
}

export function readView(view: View): IceView {
  return view as IceView;
}

export function readKind(name: string): Kind {
  const [size, colour = ''] = name.split(':');
  return { size: size as Size, colour };
}

export function kindName({ size, colour }: Kind): string {
  return `${size}:${colour}`;
}

// Acts

export const READY = 'ready';
export const RETURN = 'return';
export const ICEHOUSE = 'icehouse';

export function placeText({ x, y, heading, standing }: Pose): string {
  return `place ${x},${y} ${standing ? 'stand' : 'point'} ${Math.floor(heading / 10)}.${heading % 10}`;
}

/** A way to pay what is owed. */
export interface Gift extends Kind {
  text: string;
  /** "L:red". */
  piece: string;
  /** The colour of the player who gets it. */
  to: string;
}

/** `give L:red green`; without its colour it is one's own. */
export function readGift(text: string, own: string): Gift | null {
  const [verb, name = '', to] = text.split(' ');
  if (verb !== 'give' || to === undefined) return null;
  const piece = name.includes(':') ? name : `${name}:${own}`;
  return { text, piece, to, ...readKind(piece) };
}

/** The id of the piece that an act captures. */
export function preyOf(text: string): string | null {
  return /^capture (p\d+)$/.exec(text)?.[1] ?? null;
}

/** Whether a piece counts for its colour's player as things lie (IH-33). */
export function isScoring(piece: FieldPiece, view: IceView, layout: IceLayout): boolean {
  if (view.in_icehouse.includes(layout.colours.indexOf(piece.colour))) return false;
  if (piece.standing) return !piece.iced;
  return piece.valid === true && view.field.some(({ id, iced }) => id === piece.points_at && iced);
}
