/** What the page asks of a game of turns, answered from its layout. The server decides which acts are legal. */

import type { Sound } from '../../app/sounds';
import { counted, heading, list, valueWords } from '../../app/words';
import type { FrameOf, Keys } from '../../board/game-view';
import type { AnySounds } from '../../board/sounds';
import { capital, everyone, nameOf, pointWords, standing, verb, who, whose } from '../../board/words';
import type { Effect, Seat, Value } from '../../wire';
import { accountWords, poolWords } from './accounts';
import { spoken } from './acts';
import {
  isUnseen,
  kindOf,
  ownerOf,
  pieceWords,
  pilesOf,
  readPiece,
  shortWords,
  stackOf,
  type Piece,
  type Pile,
} from './pieces';
import { effectsOf, filled, isActing, lookOf, placedWords, valueOf } from './words';
import type { AnyEffect, Layout, Line, Space, View, Wire } from './wire';

export type { Wire };

/** The letters of pyramids, and their names. */
export function pyramids({ kinds }: Layout): [letter: string, name: string][] {
  return Object.entries(kinds).flatMap(([letter, { name, size }]) => (size ? [[letter, name]] : []));
}

/** Words for the letters of pieces and the sides of dice in acts. */
export function kindNames({ kinds, shows = {} }: Layout): Record<string, string> {
  const faces = Object.values(shows).flatMap((one) => Object.entries(one.faces));
  return {
    ...Object.fromEntries(Object.keys(kinds).map((kind) => [kind, shortWords({ kind }, kinds)])),
    ...Object.fromEntries(faces.map(([value, { words }]) => [value, words])),
  };
}

/** Whether acts may name one of the colours that a seat has. */
export function hasColours({ kinds }: Layout): boolean {
  return Object.values(kinds).some(({ colours }) => colours);
}

export function keysOf(layout: Layout): Keys {
  const letters = pyramids(layout);
  const names = list(letters.map(([, name]) => `a ${name}`)).replace(' and ', ' or ');
  const takes = layout.beside === 'supplies' || layout.beside === 'pieces';
  const buttons = Object.values(layout.acts ?? {}).filter(({ key }) => key !== '');
  const examines = buttons.every(({ key }) => key !== 'e');
  return [
    ...(takes ? ([[letters.map(([letter]) => letter.toLowerCase()).join(' '), `take ${names}`]] as const) : []),
    ...(hasColours(layout) ? ([['c', 'name another of its colours']] as const) : []),
    ['1 2 3', 'press the first, second or third button under the board'],
    ...buttons.map(({ key, label }) => [key, label.toLowerCase()] as const),
    ...(layout.help ? ([['h', 'turn the help for learners on or off']] as const) : []),
    ...(examines ? ([['e', 'examine the stack: all its pieces']] as const) : []),
    ['n', 'on to the next space to choose (with Shift: back)'],
  ];
}

/** The effects that a replay lists as events, and their names. */
export function landmarksOf({ effects }: Layout): Record<string, string> {
  return Object.fromEntries(
    Object.entries(effects).flatMap(([kind, { event }]) => (event && !kind.includes(':') ? [[kind, event]] : [])),
  );
}

/** A roll is heard at the start of its act, everything else as it is seen. */
export function soundsOf(layout: Layout): AnySounds {
  const landing = (effect: Effect): Sound => {
    const [moved = ''] = valueOf(effect).text.split(' ');
    const { kind } = kindOf(readPiece(moved, layout.kinds).kind, layout.kinds);
    return `land-${kind?.size ?? (kind?.sides ? 'M' : 'S')}`;
  };
  const rolls = (effect: Effect) => lookOf(layout, effect).sound === 'roll';
  const heard: AnySounds = { act: (line) => (effectsOf(layout, line).some(rolls) ? 'roll' : null) };
  for (const [kind, { sound }] of Object.entries(layout.effects)) {
    if (sound && sound !== 'roll') heard[kind] = sound === 'land' ? landing : (sound as Sound);
  }
  return heard;
}

// Acts

/** The spaces that an act touched, in order. */
export function touched(layout: Layout, line: Line | null): string[] {
  const acting = line?.effects.filter((effect) => isActing(layout, effect)) ?? [];
  return acting.flatMap(({ spaces }) => spaces).filter((name, i, all) => name !== all[i - 1]);
}

/** What chance drew, if the act is hers: its effect is named like the act, as in "die:hop". */
export function drawnBy(line: Line | null): AnyEffect | undefined {
  return line && line.seat < 0 ? line.effects.find(({ kind }) => line.text.startsWith(`${kind}:`)) : undefined;
}

/** The secret choices of an act that reveals them. */
export function revealed(layout: Layout, line: Line | null, seats: Seat[]): { name: string; value: string }[] {
  return (line?.effects ?? []).flatMap((effect) => {
    const { seat, text } = valueOf(effect);
    if (effect.kind !== 'reveals' || seat === null || typeof effect.value === 'number') return [];
    return [{ name: nameOf(seats, seat), value: placedWords(layout, text) ?? spoken(text) }];
  });
}

// Words

/** "b2: large red pyramid on small blue pyramid, Ann's zone, can be chosen". */
export function spaceWords(layout: Layout, space: Space, view: View, seats: Seat[], role: string): string {
  const { zone: name = 'zone' } = layout;
  const pieces = stackOf(view, space.name, layout.kinds);
  const account = view.accounts?.[space.name];
  const words = [stackWords(layout, pieces, seats) || 'empty'];
  if (account && account.number !== undefined) words.push(accountWords(layout, account, 0, seats));
  if (space.colour) words.push(`${space.colour} space`);
  if (space.zone !== null)
    words.push(space.zone in seats ? `${nameOf(seats, space.zone)}'s ${name}` : `zone ${space.zone}`);
  if (role) words.push(role);
  return `${space.name}: ${words.join(', ')}`;
}

/** "small blue pyramid on large red pyramid"; of tall stacks, "2 pyramids, 1 hidden, Ann’s large red …". */
function stackWords({ kinds, tall }: Layout, pieces: Piece[], seats: Seat[]): string {
  const hidden = pieces.filter(isUnseen).length;
  const words = pieces.map((piece) => {
    if (isUnseen(piece)) return `a hidden ${nounOf(kinds)}`;
    const owner = typeof piece.colour === 'string' ? ownerOf(piece, kinds) : null;
    return `${owner === null ? '' : `${nameOf(seats, owner)}'s `}${pieceWords(piece, kinds, seats)}`;
  });
  const count = tall && pieces.length > 0 ? [heightWords(kinds, pieces.length, hidden)] : [];
  return [...count, words.reverse().join(' on ')].filter(Boolean).join(', ');
}

/** "3 pyramids, 1 hidden". */
export function heightWords(kinds: Layout['kinds'], count: number, hidden: number): string {
  return counted(count, nounOf(kinds)) + (hidden ? `, ${hidden} hidden` : '');
}

/** "pyramid" if there are no other pieces. */
function nounOf(kinds: Layout['kinds']): string {
  return Object.values(kinds).every(({ size }) => size) ? 'pyramid' : 'piece';
}

/** "1 freshman and 2 sophomores", "2 black stones, 1 small red pyramid": a pad; empty: it has nothing. */
export function padWords({ beside, kinds }: Layout, pad: readonly Pile[], seats: Seat[]): string {
  if (beside !== 'supplies') {
    return list(pad.map((pile) => `${pile.count > 1 ? `${pile.count} times ` : ''}${pieceWords(pile, kinds, seats)}`));
  }
  return list(
    [...new Set(pad.map(({ kind }) => kind))].map((name) => {
      const piles = pad.filter(({ kind }) => kind === name);
      const count = piles.reduce((sum, pile) => sum + pile.count, 0);
      const { kind } = kindOf(name, kinds);
      const colours = kind?.colours ? ` (${piles.map((pile) => `${pile.count} ${pile.colour}`).join(', ')})` : '';
      return `${count} ${(count === 1 ? kind?.name : kind?.plural) ?? name}${colours}`;
    }),
  );
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const supplies = layout.beside === 'supplies';
  const stacks = layout.spaces.flatMap((space) =>
    space.name in view.stacks || space.name in (view.accounts ?? {})
      ? [spaceWords(layout, space, view, seats, '')]
      : [],
  );
  const pads = view.scores
    .map((_, seat) => pilesOf(view.pads?.[seat], layout.kinds))
    .flatMap((pad, seat) =>
      pad.length > 0 || supplies
        ? [`${nameOf(seats, seat)} has ${padWords(layout, pad, seats) || 'nothing'}${supplies ? ' left' : ''}.`]
        : [],
    );
  const scores = view.scores.map((score, seat) => `${nameOf(seats, seat)}: ${score}`);
  return [
    view.over && seats.length === 1 ? 'The game is over.' : standing(view, seats, turnWords(layout, view)),
    ...shownWords(layout, view),
    ...partWords(view, seats),
    ...(view.out ? [`${everyone(seats, view.out)} ${verb(seats, view.out, 'is')} out.`] : []),
    stacks.length > 0 ? `On the board: ${stacks.join('; ')}.` : 'The board is empty.',
    ...(view.pool?.length && !view.over ? [poolWords(layout, view.pool)] : []),
    ...pads,
    ...(layout.tally ? seats.map(({ seat }) => `${nameOf(seats, seat)}: ${tallyWords(layout, view, seat)}.`) : []),
    ...(hasPoints(view) ? [`Scores – ${scores.join(', ')}.`] : []),
    ...facts(layout, view, seats).map(({ name, value }) => `${name}: ${value}.`),
    ...(view.over && view.reason ? [filled(view.reason, seats)] : []),
  ].join(' ');
}

/** "The die shows swap.": dice and coins beside the board. */
function shownWords({ shows = {} }: Layout, { own = {} }: View): string[] {
  return Object.entries(shows).flatMap(([name, { form, faces }]) => {
    const face = faces[String(own[name])];
    return face ? [`The ${form} shows ${face.words}.`] : [];
  });
}

/** "Your move: to do.": the parts of the turn. */
export function partWords({ turn_parts: parts = [] }: View, seats: Seat[]): string[] {
  return parts.map(({ name, now }) => `${capital(filled(name, seats))}: ${now}.`);
}

/** "1 of 3 lost", or "out". */
export function tallyWords(layout: Layout, view: View, seat: number): string {
  const { of, places } = layout.tally!;
  return view.out?.includes(seat) ? 'out' : `${tallyOf(layout, view, seat)} of ${places} ${of}`;
}

/** The number of places that are taken on the pad of a seat. */
export function tallyOf({ tally }: Layout, { own = {} }: View, seat: number): number {
  return (own[tally!.of] as number[])[seat]!;
}

/** "Turn 8 of at most 400". */
function turnWords({ turn_limit: limit }: Layout, { turn }: View): string {
  return `Turn ${turn + 1}${limit === undefined ? '' : ` of at most ${limit}`}`;
}

/** The game's own values, all or those that it names; not those that are empty. */
export function facts(
  { facts: named, kinds }: Layout,
  { own = {} }: View,
  seats: Seat[],
): { name: string; value: string }[] {
  return Object.entries(own)
    .filter(([name, value]) => value !== null && (named?.includes(name) ?? true))
    .map(([name, value]) => ({ name: heading(name), value: ownWords(value, kinds, seats) }))
    .filter(({ value }) => value !== '');
}

/** "1, 2", "Ann: 2": a value of a game's own; what JSON lacks is an object whose only key is its type. */
function ownWords(value: unknown, kinds: Layout['kinds'], seats: Seat[]): string {
  const words = (one: unknown): string => ownWords(one, kinds, seats);
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (typeof value !== 'object' || value === null) return valueWords(value as Value);
  const [[type, parts] = ['', []]] = Object.entries(value as Record<string, unknown[]>);
  if (type === 'dict')
    return (parts as [unknown, unknown][]).map(([key, one]) => `${words(key)}: ${words(one)}`).join(', ');
  if (type !== 'pyramid' && type !== 'token') return words(parts);
  const [name, colour, heading] = parts as [string, number | string, string?];
  const isIt = (kind: string): boolean => type === 'pyramid' && kinds[kind]!.size === name;
  const kind = Object.keys(kinds).find(isIt) ?? name;
  return pieceWords({ kind, colour, ...(heading && { heading }) }, kinds, seats);
}

/** Names the seats that still have to choose in secret; empty if there are none. */
export function secretWords({ asked = [] }: View, seats: Seat[], acting: number | null): string {
  if (asked.length === 0) return '';
  if (acting !== null && asked.includes(acting)) return 'Choose in secret: it is shown when all have chosen.';
  return `${everyone(seats, asked)} ${verb(seats, asked, 'is')} still to choose in secret.`;
}

/** "Ann scores 3 points, and has 7. Ben loses 1 point, and has 2.": changes that no effect reports. */
export function scoreNews(before: View, { line, view }: FrameOf<Wire>, seats: Seat[]): string {
  const reported = (seat: number): number =>
    (line?.effects ?? [])
      .map(valueOf)
      .reduce((sum, { seat: of, text }) => sum + (of === seat && /^[+-]\d+$/.test(text) ? Number(text) : 0), 0);
  const isTold = line?.effects.some(({ kind, value }) => kind === 'scores' && typeof value === 'number');
  if (isTold || !hasPoints(view)) return '';
  return view.scores
    .map((score, seat) => ({ seat, score, gain: score - (before.scores[seat] ?? 0) - reported(seat) }))
    .filter(({ gain }) => gain !== 0)
    .map(({ seat, score, gain }) => {
      const [does, has] = [gain < 0 ? 'loses' : 'scores', 'has'].map((word) => verb(seats, [seat], word));
      return `${who(seats, seat)} ${does} ${pointWords(Math.abs(gain))}, and ${has} ${score}.`;
    })
    .join(' ');
}

/**
 * Whether a game has points. At the end of a game without any, winners have 1, which is not shown; a game that was
 * broken off has the points of its last position.
 */
export function hasPoints({ scores, ended_by: rule, winners }: View): boolean {
  return scores.some((score, seat) => score !== (rule !== null ? Number(winners.includes(seat)) : 0));
}

/** The game's own words or, if it has none, the scores. */
export function reason(_: Layout, view: View, seats: Seat[]): string {
  if (view.reason) return filled(view.reason, seats);
  if (!hasPoints(view)) return '';
  return `${capital(list(view.scores.map((score, seat) => `${whose(seats, seat)} score is ${score}`)))}.`;
}
