/**
 * The position that a player's unanswered acts will most likely lead to.
 *
 * It is computed from the newest position each time, which may include the first of these acts already. Taking the
 * piece in hand or placing from an empty hand therefore changes nothing.
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
  return sent.filter((act) => act.seat === seat).reduce((now, act) => after(now, layout, act), start as Expected);
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
 * The unanswered act that the next act of the hand depends on: the last act of the hand. After a `return` there is
 * none: that is refused only if the hand is already empty.
 */
export function basis(seat: number, sent: readonly Sent[]): string | undefined {
  const last = sent.findLast((act) => act.seat === seat && /^(lift|place|return)/.test(act.text));
  return last?.text === RETURN ? undefined : last?.id;
}

/** The piece on the field after a landing. It has no id yet. */
export function landed({ kind, pose }: Landing): FieldPiece {
  const { x, y, heading, standing } = pose;
  const unknown = { points_at: null, valid: null, iced: null, redundant: null };
  const colour = kind.colour as FieldPiece['colour'];
  return { id: '', colour, size: kind.size, x, y, heading: heading / 10, standing, ...unknown };
}
