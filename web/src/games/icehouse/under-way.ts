/**
 * What a player's acts on their way make of the position, as they will most likely turn out.
 *
 * It is worked out from the newest position each time. The first of the acts may be in it already, its answer still on
 * the way: taking what is in hand and placing from an empty hand therefore change nothing.
 */

import type { Sent } from '../../board/game-view';
import { type Kind, type Pose, preyOf, readKind, readLift, readPlace, RETURN } from './acts';
import type { FieldPiece, Layout, Pad, View } from './wire';

/** A piece that was let go and is not confirmed yet. */
export interface Landing {
  id: string;
  kind: Kind;
  pose: Pose;
}

export interface Expected {
  /** The piece in hand, "L:red". */
  held: string | null;
  pad: Pad;
  landing: Landing[];
  /** The ids of the pieces to be captured. */
  prey: string[];
}

export function expect(view: View, layout: Layout, seat: number, sent: readonly Sent[]): Expected {
  const start = { held: view.hands[seat] ?? null, pad: view.pads[seat] ?? {}, landing: [], prey: [] };
  return sent.filter((one) => one.seat === seat).reduce((now, act) => after(now, layout, act), start as Expected);
}

function after(now: Expected, layout: Layout, { id, seat, text }: Sent): Expected {
  const { held, pad } = now;
  const lifted = readLift(text, layout.colours[seat]!);
  if (lifted && lifted !== held && held === null) return { ...now, held: lifted, pad: counted(pad, lifted, -1) };
  if (text === RETURN && held !== null) return { ...now, held: null, pad: counted(pad, held, 1) };
  const pose = readPlace(text);
  if (pose && held !== null) {
    return { ...now, held: null, landing: [...now.landing, { id, kind: readKind(held), pose }] };
  }
  const prey = preyOf(text);
  return prey === null ? now : { ...now, prey: [...now.prey, prey] };
}

function counted(pad: Pad, name: string, change: number): Pad {
  const { size, colour } = readKind(name);
  const counts = pad[colour] ?? {};
  return { ...pad, [colour]: { ...counts, [size]: Math.max(0, (counts[size] ?? 0) + change) } };
}

/**
 * The act on its way without which the next one of the hand makes no sense: the last one of the hand. Behind a `return`
 * there is none: that is refused only where the hand is empty, as it was to be.
 */
export function basis(seat: number, sent: readonly Sent[]): string | undefined {
  const last = sent.findLast((one) => one.seat === seat && /^(lift|place|return)/.test(one.text));
  return last?.text === RETURN ? undefined : last?.id;
}

/** A piece that lands, as one on the field. It has no id there yet. */
export function landed({ kind, pose }: Landing): FieldPiece {
  const { x, y, heading, standing } = pose;
  const unknown = { points_at: null, valid: null, iced: null, redundant: null };
  const colour = kind.colour as FieldPiece['colour'];
  return { id: '', colour, size: kind.size, x, y, heading: heading / 10, standing, ...unknown };
}
