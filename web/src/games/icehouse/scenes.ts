/** Short news about calls and their consequences, shown over the field. */

import { counted, list } from '../../app/words';
import { SIZE_WORDS } from '../../pieces/solid';
import type { Seat } from '../../wire';
import { type Kind, readKind, seatOf } from './acts';
import type { Gives, Layout, Line, Melts, Void } from './wire';
import { capital, effect, effects, verb, who, whose } from '../../board/words';
import { kindWords, names, short } from './words';

export interface Scene {
  kind: 'start' | 'found' | 'false' | 'void' | 'crash' | 'melt' | 'capture' | 'iced' | 'gift' | 'bell';
  title: string;
  text: string;
  /** The colour of the player it is about. */
  colour: string;
}

/** Whether it is frequent and soon outdated, so that the newest replaces the previous one. */
export function isSmall({ kind }: Scene): boolean {
  return ['start', 'void', 'capture', 'iced', 'gift'].includes(kind);
}

export const TIME_IS_UP = 'Time is up';

/** The news of an act; null if the field shows it all. `first`: the seat of the last true call. */
export function sceneOf(line: Line, layout: Layout, seats: Seat[], first?: number): Scene | null {
  const scene =
    actScene(line, layout, seats, first) ?? giftScene(line, layout, seats) ?? vainScene(line, layout, seats);
  if (!scene) return null;
  return { ...scene, text: [scene.text, ...backWords(line, layout, seats)].join(' ') };
}

function actScene(line: Line, layout: Layout, seats: Seat[], first?: number): Scene | null {
  const { seat } = line;
  const actor = who(seats, seat);
  const own = layout.colours[seat] ?? '';
  const news = (kind: Scene['kind'], title: string, text: string, colour = own): Scene => ({
    kind,
    title,
    text,
    colour,
  });
  for (const event of line.effects) {
    switch (event.kind) {
      case 'starts':
        return news('start', 'Go!', 'Everybody plays at once: take a pyramid.');
      case 'rings':
        return news('bell', 'The bell rings', 'Play stops.');
      case 'finds':
        return news('found', 'Icehouse!', foundWords(line, layout, seats), event.spaces[0]);
      case 'false_call':
        return news('false', 'False call!', falseWords(line, seats));
      case 'void':
        return news('void', event.value === null ? 'Too soon' : 'Too late', voidWords(line, event, seats, first));
      case 'crashes': {
        const piece = short(readKind(event.value), own);
        return news(
          'crash',
          'Crash!',
          `${capital(whose(seats, seat))} ${piece} hit another piece. ${actor} must give it away.`,
        );
      }
      case 'melts':
        return news('melt', 'Meltdown!', meltWords(event, layout, seats), event.value);
      case 'captures':
        return news('capture', 'Captured', captureWords(line, readKind(event.value), layout, seats));
      case 'gives':
        return news('gift', 'Given', giftWords(event, layout, seats));
    }
  }
  return null;
}

/** "Ben ices your medium": the news of a player whose pieces an act has iced; null: it has not. */
export function icedScene(line: Line, kinds: readonly Kind[], seats: Seat[]): Scene | null {
  const [first] = kinds;
  if (!first) return null;
  const pieces = list(kinds.map(({ size }) => SIZE_WORDS[size]));
  const [score, are] = kinds.length > 1 ? ['they score', 'they are'] : ['it scores', 'it is'];
  const ices = `${who(seats, line.seat)} ${verb(seats, [line.seat], 'ices')}`;
  const text = `${ices} your ${pieces}: ${score} nothing until ${are} free.`;
  return { kind: 'iced', title: 'Iced!', text, colour: first.colour };
}

/** The pieces that an act returns from the hands of this browser's players to their pads. */
export function backWords(line: Line, layout: Layout, seats: Seat[]): string[] {
  const alone = seats.filter(({ mine }) => mine).length === 1;
  return effects(line, 'returns').flatMap(({ spaces: [colour], value }) => {
    const seat = seats[seatOf(layout, colour)];
    if (!seat?.mine) return [];
    const kind = readKind(value);
    return alone
      ? [`Your ${kind.colour === colour ? SIZE_WORDS[kind.size] : kindWords(kind)} is back on your pad.`]
      : [`${seat.name}’s ${kindWords(kind)} is back on the pad.`];
  });
}

function giftScene(line: Line, layout: Layout, seats: Seat[]): Scene | null {
  const gift = effect(line, 'settles');
  if (!gift) return null;
  return { kind: 'gift', title: TIME_IS_UP, text: giftWords(gift, layout, seats), colour: gift.spaces[0] };
}

/** A call of meltdown has no effect if enough defenders stand (IH-13). */
function vainScene(line: Line, layout: Layout, seats: Seat[]): Scene | null {
  const melting = /^meltdown (.*)$/.exec(line.text)?.[1];
  if (!melting || line.effects.length > 0) return null;
  const whom = names(seats, [seatOf(layout, melting)]);
  const text = `${who(seats, line.seat)} ${verb(seats, [line.seat], 'calls')} it on ${whom}, in vain.`;
  return { kind: 'void', title: 'Meltdown?', text, colour: layout.colours[line.seat] ?? '' };
}

function foundWords(line: Line, layout: Layout, seats: Seat[]): string {
  const found = effects(line, 'finds').map(({ spaces }) => seatOf(layout, spaces[0]));
  const pieces = effects(line, 'hands_over').reduce((sum, { value }) => sum + value, 0);
  const catches = `${who(seats, line.seat)} ${verb(seats, [line.seat], 'catches')} ${names(seats, found)}`;
  const plays = `${names(seats, [line.seat])} ${verb(seats, [line.seat], 'plays')}`;
  const theirs = found.length === 1 ? whose(seats, found[0]!) : 'their';
  const over = pieces ? `, and ${plays} ${theirs} last ${pieces === 1 ? 'piece' : `${pieces} pieces`}` : '';
  return `${catches}: no points for ${names(seats, found)}${over}.`;
}

function falseWords(line: Line, seats: Seat[]): string {
  const actor = who(seats, line.seat);
  if (effect(line, 'owes')) return `Nobody could be caught. ${actor} must give away a piece.`;
  return `${actor} called in vain: nobody could be caught.`;
}

/** Says who called first, and by how much, if the call was too late. */
function voidWords({ seat }: Line, { value }: Void, seats: Seat[], first?: number): string {
  const calls = `${who(seats, seat)} ${verb(seats, [seat], 'calls')}`;
  if (value === null || first === seat) return `${calls} again, which does not count.`;
  const time = `by ${(Math.max(1, value) / 1000).toPrecision(1)} s`;
  if (first === undefined) return `${calls} too: another call was first ${time}.`;
  return `${calls} too: ${names(seats, [first])} ${who(seats, first) === 'You' ? 'were' : 'was'} first ${time}.`;
}

function meltWords({ spaces, value }: Melts, layout: Layout, seats: Seat[]): string {
  const go = spaces.length > 1 ? 'go' : 'goes';
  return `${counted(spaces.length, 'attacker')} ${go} back to ${whose(seats, seatOf(layout, value))} pad.`;
}

function captureWords({ seat }: Line, { size, colour }: Kind, layout: Layout, seats: Seat[]): string {
  const takes = `${who(seats, seat)} ${verb(seats, [seat], 'takes')}`;
  const owner = seatOf(layout, colour);
  if (owner === seat) return `${takes} back a ${kindWords({ size, colour })}.`;
  return `${takes} ${whose(seats, owner)} ${SIZE_WORDS[size]} prisoner: its target was iced without it.`;
}

export function giftWords(
  { spaces: [from, to], value }: Pick<Gives, 'spaces' | 'value'>,
  layout: Layout,
  seats: Seat[],
): string {
  const giver = seatOf(layout, from);
  const gives = `${who(seats, giver)} ${verb(seats, [giver], 'gives')}`;
  return `${gives} ${names(seats, [seatOf(layout, to)])} a ${kindWords(readKind(value))}.`;
}
