/** Keys, sounds and texts of Icehouse. */

import { counted, list } from '../../app/words';
import { isSize, SIZE_WORDS } from '../../pieces/solid';
import type { Seat } from '../../wire';
import { sceneOf } from './scenes';
import { QUARTERS } from './turn';
import { kindsOn, readKind } from './acts';
import { fullName, idWords, kindWords, lyingWords, stateWords, type Reader } from './words';
import type { Keys, Landmarks, Sounds } from '../../board/game-view';
import { effect, effects, everyone, nameOf, standing, verb, who } from '../../board/words';
import type { Layout, Line, Pad, View, Wire } from './wire';

export type { Wire };

export const hasSides = false;
export const hasChance = true;

export const keys: Keys = [
  ['1 2 3', 'take a small, medium or large pyramid of yours; 4: the next prisoner'],
  ['Space', 'stand it up or lay it down'],
  ['q e', 'turn it left or right (with Shift: finely); so does the wheel'],
  ['arrows', 'move it by a tenth of an inch (with Shift: by a hundredth); without one: from piece to piece'],
  ['t', 'the next target, what would be iced first; with nothing in hand the next piece (with Shift: back)'],
  ['n', 'the next place from which to attack it, or to stand (with Shift: back)'],
  ['Enter', 'let go; on an attacker that glows: capture it'],
  ['Backspace', 'put it back on the pad'],
  ['w', 'say what is in hand and how it would lie'],
  ['c', 'capture an attacker that glows'],
  ['Shift+I', 'call icehouse'],
  ['Shift+M', 'call meltdown'],
  ['+ -', 'zoom in and out; 0: the whole field, or what is in play'],
];

export const landmarks = {
  finds: 'icehouse',
  false_call: 'false call',
  melts: 'meltdown',
  captures: 'capture',
  crashes: 'crash',
  rings: 'bell',
} satisfies Landmarks<Wire>;

export const sounds: Sounds<Wire> = {
  starts: 'turn',
  places: (placed) => `land-${readKind(placed.value).size}`,
  ices: 'ice',
  captures: 'capture',
  gives: 'land-S',
  crashes: 'crash',
  melts: 'call',
  finds: 'call',
  false_call: 'lose',
  rings: 'bell',
};

export function steps(): number {
  return QUARTERS;
}

/** No seat has a side of the field. */
export function facing(): number {
  return 0;
}

/** Until then, players get ready. */
export const start = 'starts' satisfies Wire['effect']['kind'];

export function say(layout: Layout, line: Line, seats: Seat[]): string {
  const scene = sceneOf(line, layout, seats);
  const words = scene
    ? [`${scene.title}${/\w$/.test(scene.title) ? ':' : ''} ${scene.text}`.replace(/\.$/, '')]
    : actWords(line, seats);
  const iced = effects(line, 'ices').flatMap(({ spaces }) => spaces.map(idWords));
  const freed = effects(line, 'frees').flatMap(({ spaces }) => spaces.map(idWords));
  const changes = [
    ...(iced.length ? [`${list(iced)} ${iced.length > 1 ? 'are' : 'is'} iced`] : []),
    ...(freed.length ? [`${list(freed)} ${freed.length > 1 ? 'stand' : 'stands'} free`] : []),
  ];
  return `${[...words, ...changes].join('; ')}.`;
}

function actWords(line: Line, seats: Seat[]): string[] {
  const does = (what: string): string => `${who(seats, line.seat)} ${verb(seats, [line.seat], what)}`;
  const [act = '', what = ''] = line.text.split(' ');
  const placed = effect(line, 'places');
  if (placed) {
    const stance = line.text.includes('stand') ? does('stands') : `${does('lays')} down`;
    return [`${stance} a ${kindWords(readKind(placed.value))}, ${idWords(placed.spaces[0])}`];
  }
  switch (act) {
    case 'ready':
      return [`${does('is')} ready`];
    case 'lift':
      return [`${does('takes')} a ${kindOf(what)}`];
    case 'return':
      return [`${does('puts')} it back`];
    default:
      return [`${who(seats, line.seat)}: ${line.text}`];
  }
}

/** "large", "large green": the player's own pieces are named by size. */
function kindOf(text: string): string {
  return isSize(text) ? SIZE_WORDS[text] : kindWords(readKind(text));
}

export function describe(layout: Layout, view: View, seats: Seat[]): string {
  const [ours, another] = seats.filter((seat) => seat.mine);
  const reader: Reader = { layout, seats, seat: another ? null : (ours?.seat ?? null) };
  const started = view.ready.length === seats.length;
  const waiting = seats.filter(({ seat }) => !view.ready.includes(seat)).map(({ name }) => name);
  const head = view.over
    ? standing(view, seats, '')
    : started
      ? `${counted(view.field.length, 'piece')} on the field.`
      : `Play starts when everybody is ready; still waiting for ${list(waiting)}.`;
  return [head, ...seats.map(({ seat }) => seatSentence(reader, view, seat)), ...fieldSentences(reader, view)].join(
    ' ',
  );
}

/** The end of the game (IH-31, IH-32), and players who cannot win (IH-34). */
export function reason(_: Layout, view: View, seats: Seat[]): string {
  const end = view.ended_by === 'IH-31' ? 'The bell has rung.' : 'Every piece has been played.';
  const caught = view.in_icehouse;
  return caught.length > 0 ? `${end} ${everyone(seats, caught)} ${verb(seats, caught, 'is')} in the icehouse.` : end;
}

/** Until every seat is ready, nothing else is legal (IH-6). */
export function gathers(view: View): boolean {
  return !view.over && view.ready.length < view.scores.length;
}

function seatSentence({ layout, seats }: Reader, view: View, seat: number): string {
  const parts = [
    `${padWords(view.pads[seat] ?? {}, layout.colours[seat]!)} on the pad`,
    ...(view.hands[seat] ? [`a ${kindWords(readKind(view.hands[seat]))} in hand`] : []),
    ...(view.in_icehouse.includes(seat) ? ['in the icehouse'] : []),
    ...(String(seat) in view.owed ? ['owes a piece'] : []),
  ];
  return `${nameOf(seats, seat)} (${layout.colours[seat]}), ${counted(view.scores[seat] ?? 0, 'point')}: ${parts.join(', ')}.`;
}

/** "2 small, 1 large blue". */
function padWords(pad: Pad, own: string): string {
  const kinds = kindsOn(pad).map(
    ({ size, colour, count }) => `${count} ${SIZE_WORDS[size]}${colour === own ? '' : ` ${colour}`}`,
  );
  return list(kinds) || 'nothing';
}

/** Defenders, then lying pieces; own pieces first. */
function fieldSentences(reader: Reader, view: View): string[] {
  const own = reader.seat === null ? undefined : reader.layout.colours[reader.seat];
  const pieces = [...view.field].sort((a, b) => Number(b.colour === own) - Number(a.colour === own));
  const stands = pieces
    .filter((piece) => piece.standing)
    .map((piece) => `${fullName(reader, piece)} ${stateWords(reader, piece, view.field)}`);
  const lies = pieces.filter((piece) => !piece.standing).map((piece) => lyingWords(reader, piece, view.field));
  return [...stands, ...lies].map((words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`);
}
