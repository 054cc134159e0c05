/** Words for what a player may not have seen: the cause of a refusal, gifts by time, a loss of connection. */

import { list } from '../../app/words';
import type { Fault, Seat } from '../../wire';
import { effect, effects, nameOf } from '../../board/words';
import { ICEHOUSE, kindsOn, readKind } from './acts';
import { backWords, giftWords, sceneOf, type Scene, TIME_IS_UP } from './scenes';
import type { Layout, Line, View } from './wire';
import { kindWords } from './words';

/** The deadline after which time acts in a player's place. */
export interface Due {
  /** In milliseconds. */
  left: number;
  /** The `performance.now()` at which that was left; null: time stands still. */
  since: number | null;
}

/** By seat. */
export function dues({ due = {} }: { due?: Record<string, number> }, since: number | null): Record<string, Due> {
  return Object.fromEntries(Object.entries(due).map(([seat, left]) => [seat, { left, since }]));
}

export function reword(layout: Layout, fault: Fault, lines: readonly Line[], seats: Seat[]): string | null {
  if (fault.code === 'game-over' && lines.at(-1)?.text === 'bell') return 'The bell was faster.';
  const mine = seats.filter((seat) => seat.mine).map(({ seat }) => seat);
  if (fault.code !== 'hand-empty' || mine.length !== 1) return null;
  const last = lines.findLast((line) => line.seat === mine[0] || backWords(line, layout, seats).length > 0);
  if (last?.text !== ICEHOUSE || last.seat === mine[0]) return null;
  return [`${nameOf(seats, last.seat)}’s call came first.`, ...backWords(last, layout, seats)].join(' ');
}

/** The gifts that were made because time was up (IH-24). */
export function giftsByTime(before: View, after: View, layout: Layout): { from: number; to: number; piece: string }[] {
  return Object.keys(before.owed).flatMap((key) => {
    const from = Number(key);
    if (key in after.owed) return [];
    const [piece] = gained(after, before, from);
    const to = after.pads.findIndex((_, seat) => seat !== from && piece && gained(before, after, seat).includes(piece));
    return piece && to >= 0 && layout.colours[to] ? [{ from, to, piece }] : [];
  });
}

/** The kinds of pieces that a pad has more of in the second position. */
function gained(before: View, after: View, seat: number): string[] {
  const earlier = before.pads[seat] ?? {};
  return kindsOn(after.pads[seat] ?? {})
    .filter(({ size, colour, count }) => count > (earlier[colour as keyof typeof earlier]?.[size] ?? 0))
    .map(({ size, colour }) => `${size}:${colour}`);
}

export function giftNews(before: View, after: View, layout: Layout, seats: Seat[]): Scene[] {
  return giftsByTime(before, after, layout).map(({ from, to, piece }) => {
    const [colour, taker] = [layout.colours[from]!, layout.colours[to]!];
    const text = giftWords({ spaces: [colour, taker], value: piece }, layout, seats);
    return { kind: 'gift', title: TIME_IS_UP, text, colour };
  });
}

export function missed(
  layout: Layout,
  lines: readonly Line[],
  seats: Seat[],
  before: View,
  after: View,
): string | null {
  const calls = lines.flatMap((line) => {
    const notable =
      effect(line, 'finds') ?? effect(line, 'false_call') ?? effect(line, 'melts') ?? effect(line, 'rings');
    const scene = notable ? sceneOf(line, layout, seats) : null;
    return scene ? [`${scene.title}${/\w$/.test(scene.title) ? ':' : ''} ${scene.text}`] : [];
  });
  const mine = seats.filter((seat) => seat.mine).map(({ seat }) => seat);
  const prisoners = mine.flatMap((seat) => gained(before, after, seat)).filter((name) => !owns(layout, mine, name));
  const gifts =
    prisoners.length > 0 ? [`You got ${list(prisoners.map((name) => `a ${kindWords(readKind(name))}`))}.`] : [];
  const iced = icedWords(
    lines,
    after,
    mine.map((seat) => layout.colours[seat]!),
  );
  const all = [...calls, ...gifts, ...iced];
  return all.length > 0 ? `While you were away: ${all.join(' ')}` : null;
}

function owns(layout: Layout, seats: number[], name: string): boolean {
  return seats.some((seat) => name.endsWith(`:${layout.colours[seat]}`));
}

/** The player's pieces that were iced and still are. */
function icedWords(lines: readonly Line[], { field }: View, colours: string[]): string[] {
  const iced = new Set(lines.flatMap((line) => effects(line, 'ices').flatMap(({ spaces }) => spaces)));
  const own = field.filter((piece) => iced.has(piece.id) && piece.iced && colours.includes(piece.colour));
  return own.length > 0 ? [`Iced: your ${list(own.map((piece) => kindWords(piece).split(' ')[0]!))}.`] : [];
}
