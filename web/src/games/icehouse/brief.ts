/** Words for acts of Icehouse in the list of moves. */

import { counted, list } from '../../app/words';
import { effect, effects, verb, who } from '../../board/words';
import type { Seat } from '../../wire';
import { ICEHOUSE, type Kind, readKind, seatOf } from './acts';
import { footprint, sight } from './geometry';
import { footprintOf } from './placing';
import type { FieldPiece, Gives, Layout, Line, Places, Settles, View } from './wire';
import { kindWords, names, short } from './words';

/** "stands a large", "medium attacks the small green – iced!"; null for lifts, returns and `ready`. */
export function brief(layout: Layout, line: Line, seats: Seat[], view: View): string | null {
  const act = actWords(layout, line, seats, view);
  const settled = effects(line, 'settles').map((gift) => giftWords(layout, gift, seats));
  const words = [...settled, ...(act === null ? [] : [act])];
  return words.length > 0 ? words.join('; ') : null;
}

function actWords(layout: Layout, line: Line, seats: Seat[], view: View): string | null {
  const own = layout.colours[line.seat];
  const placed = effect(line, 'places');
  if (placed) return placeWords(layout, line, placed, view);
  const crash = effect(line, 'crashes');
  if (crash) return `crashes with a ${short(readKind(crash.value), own)}`;
  const captured = effect(line, 'captures');
  if (captured) return `captures a ${kindWords(readKind(captured.value))}${changes(line, view)}`;
  const gift = effect(line, 'gives');
  if (gift) return giftWords(layout, gift, seats);
  if (line.text === ICEHOUSE) return callWords(layout, line, seats);
  if (line.text.startsWith('meltdown ')) return meltWords(layout, line, seats, view);
  if (effect(line, 'rings')) return 'the bell rings';
  return effect(line, 'starts') ? 'go!' : null;
}

function placeWords(layout: Layout, line: Line, { spaces: [id], value }: Places, view: View): string {
  const kind = short(readKind(value), layout.colours[line.seat]);
  const target = targetOf(layout, line, id, readKind(value), view);
  if (!target) return `stands a ${kind}${changes(line, view)}`;
  const iced = effects(line, 'ices').some(({ spaces }) => spaces[0] === target.id);
  return `${kind} attacks the ${kindWords(target)}${iced ? ' – iced!' : ''}${changes(line, view, target.id)}`;
}

/**
 * The target of a new attacker; undefined: the piece stands. Defenders are never removed and only block each other, or
 * the attack would have been refused, so the older ones that stand now determine the target.
 */
function targetOf(layout: Layout, line: Line, id: string, { size }: Kind, view: View): FieldPiece | undefined {
  const [, x, y, heading] = /^place (-?\d+),(-?\d+) point (\S+)$/.exec(line.text) ?? [];
  if (heading === undefined) return undefined;
  const older = view.field.filter((piece) => piece.standing && numberOf(piece.id) < numberOf(id));
  const pose = { x: Number(x), y: Number(y) };
  const attacker = footprint(pose, Math.round(Number(heading) * 10), size, false, layout.lengths);
  const defenders = older.map((piece) => footprintOf(layout, piece));
  return older[sight(attacker, defenders, layout.width, layout.height).target ?? -1];
}

/** Pieces are called p1, p2 … in the order of placement. */
function numberOf(id: string): number {
  return Number(id.slice(1));
}

/** ", frees the small red": changes of defenders other than the `known` one. */
function changes(line: Line, { field }: View, known?: string): string {
  const words = (kind: 'ices' | 'frees'): string => {
    const ids = effects(line, kind).flatMap(({ spaces }) => spaces);
    const pieces = field.filter(({ id }) => id !== known && ids.includes(id));
    return pieces.length > 0 ? `, ${kind} ${list(pieces.map((piece) => `the ${kindWords(piece)}`))}` : '';
  };
  return words('ices') + words('frees');
}

function callWords(layout: Layout, line: Line, seats: Seat[]): string {
  const ignored = effect(line, 'void');
  if (ignored) return `calls Icehouse too ${ignored.value === null ? 'soon' : 'late'}`;
  const found = effects(line, 'finds').map(({ spaces }) => seatOf(layout, spaces[0]));
  return found.length > 0 ? `calls Icehouse: catches ${names(seats, found)}` : 'calls Icehouse: catches nobody';
}

function meltWords(layout: Layout, line: Line, seats: Seat[], view: View): string {
  const melted = effect(line, 'melts');
  const seat = seatOf(layout, line.text.split(' ')[1] ?? '');
  const whom = names(seats, [seat]);
  if (!melted) return `calls a meltdown on ${whom}, in vain`;
  const { length } = melted.spaces;
  return `calls a meltdown on ${whom}: ${counted(length, 'attacker')} ${length > 1 ? 'go' : 'goes'} back${changes(line, view)}`;
}

function giftWords(layout: Layout, { kind, spaces: [from, to], value }: Gives | Settles, seats: Seat[]): string {
  const giver = seatOf(layout, from);
  const what = `${names(seats, [seatOf(layout, to)])} a ${short(readKind(value), from)}`;
  return kind === 'gives'
    ? `gives ${what}`
    : `time is up: ${who(seats, giver)} ${verb(seats, [giver], 'gives')} ${what}`;
}
