/** The notation of pieces and acts of Icehouse. The server decides which acts are legal. */

import type { Colour } from '../../pieces/colours';
import { isSize, SIZES, type Size } from '../../pieces/solid';
import { readColour } from '../../board/words';
import type { Spot } from './geometry';
import type { Layout, Pad, View } from './wire';

/** The position of a piece in thousandths of an inch, and its heading in tenths of a degree. */
export interface Pose extends Spot {
  heading: number;
  standing: boolean;
}

/** A kind of piece by its name, "L:red". */
export interface Kind {
  size: Size;
  colour: Colour;
}

export function readKind(name: string): Kind {
  const [size = '', colour = ''] = name.split(':');
  if (!isSize(size)) throw new Error(`No piece has the name ${name}.`);
  return { size, colour: readColour(colour) };
}

export function kindName({ size, colour }: Kind): string {
  return `${size}:${colour}`;
}

export function kindsOn(pad: Pad): (Kind & { count: number })[] {
  return Object.entries(pad).flatMap(([colour, counts]) =>
    SIZES.flatMap((size) => (counts[size] ? [{ size, colour: readColour(colour), count: counts[size] }] : [])),
  );
}

/** The number of pieces that a seat has left to play, the one in its hand included. */
export function leftToPlay({ pads, hands }: Pick<View, 'pads' | 'hands'>, seat: number): number {
  const onPad = kindsOn(pads[seat] ?? {}).reduce((sum, { count }) => sum + count, 0);
  return onPad + Number(hands[seat] !== null);
}

/** The seat that plays a colour. */
export function seatOf({ colours }: Pick<Layout, 'colours'>, colour: string): number {
  return colours.findIndex((own) => own === colour);
}

// Acts

export const READY = 'ready';
export const RETURN = 'return';
export const ICEHOUSE = 'icehouse';

export function placeText({ x, y, heading, standing }: Pose): string {
  return `place ${x},${y} ${standing ? 'stand' : 'point'} ${Math.floor(heading / 10)}.${heading % 10}`;
}

export function readPlace(text: string): Pose | null {
  const [, x, y, how, degrees, tenths] = /^place (-?\d+),(-?\d+) (stand|point) (\d+)\.(\d)$/.exec(text) ?? [];
  if (x === undefined) return null;
  return { x: Number(x), y: Number(y), heading: 10 * Number(degrees) + Number(tenths), standing: how === 'stand' };
}

export function liftText(kind: Kind, own: string): string {
  return `lift ${kind.colour === own ? kind.size : kindName(kind)}`;
}

/** The name of the piece that an act takes, "L:red". */
export function readLift(text: string, own: string): string | null {
  const name = /^lift (.+)$/.exec(text)?.[1];
  return name === undefined || name.includes(':') ? (name ?? null) : `${name}:${own}`;
}

/** A way to pay a debt. */
export interface Gift extends Kind {
  text: string;
  /** "L:red". */
  piece: string;
  /** The colour of the player who gets it. */
  to: string;
}

/** `give L:red green`; a piece without a colour is the giver's own. */
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
