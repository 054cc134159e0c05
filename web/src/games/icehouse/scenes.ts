/** What calls and their consequences look like: short news over the field that hold nobody up. */

import { counted, list } from '../../app/words';
import { SIZE_WORDS } from '../../pieces/solid';
import type { Seat } from '../../wire';
import { readKind, seatOf } from './acts';
import type { Gives, Layout, Line, Melts, Void } from './wire';
import { effect, effects, nameOf } from '../../board/words';
import { kindWords } from './words';

export interface Scene {
  kind: 'start' | 'found' | 'false' | 'void' | 'crash' | 'melt' | 'capture' | 'gift' | 'bell';
  title: string;
  text: string;
  /** The colour of whom it is about. */
  colour: string;
}

/** What happens again and again, and is soon out of date: the newest takes the place of the one before. */
export function isSmall({ kind }: Scene): boolean {
  return ['start', 'void', 'capture', 'gift'].includes(kind);
}

export const TIME_IS_UP = 'Time is up';

/** Something worth news; null for the many acts that the field itself tells. `first`: the seat of the last true call. */
export function sceneOf(line: Line, layout: Layout, seats: Seat[], first?: number): Scene | null {
  const told = tell(line, layout, seats, first) ?? settled(line, layout, seats) ?? vain(line, layout, seats);
  if (!told) return null;
  return { ...told, text: [told.text, ...backWords(line, layout, seats)].join(' ') };
}

function tell(line: Line, layout: Layout, seats: Seat[], first?: number): Scene | null {
  const actor = nameOf(seats, line.seat);
  const colour = layout.colours[line.seat] ?? '';
  const of = (one: string) => nameOf(seats, seatOf(layout, one));
  const news = (kind: Scene['kind'], title: string, text: string, whose = colour): Scene => ({
    kind,
    title,
    text,
    colour: whose,
  });
  for (const one of line.effects) {
    switch (one.kind) {
      case 'starts':
        return news('start', 'Go!', 'Everybody plays at once.');
      case 'rings':
        return news('bell', 'The bell rings', 'Play stops.');
      case 'finds':
        return news('found', 'Icehouse!', foundWords(line, actor, of), one.spaces[0]);
      case 'false_call':
        return news('false', 'False call!', falseWords(line, actor));
      case 'void':
        return news('void', one.value === null ? 'Too soon' : 'Too late', voidWords(line, one, seats, first));
      case 'crashes':
        return news('crash', 'Crash!', `${actor} must give the ${kindWords(readKind(one.value))} to an opponent.`);
      case 'melts':
        return news('melt', 'Meltdown!', meltWords(one, of), one.value);
      case 'captures': {
        const kind = readKind(one.value);
        return news('capture', 'Captured', `${actor} takes a ${kindWords(kind)} prisoner.`);
      }
      case 'gives':
        return news('gift', 'Given', giftWords(one, of));
    }
  }
  return null;
}

/** What goes back from the hands of this browser's players to their pads, which happens without their doing. */
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

function settled(line: Line, layout: Layout, seats: Seat[]): Scene | null {
  const one = effect(line, 'settles');
  if (!one) return null;
  const of = (colour: string) => nameOf(seats, seatOf(layout, colour));
  return { kind: 'gift', title: TIME_IS_UP, text: giftWords(one, of), colour: one.spaces[0] };
}

/** A call of meltdown has no effect where enough defenders stand (IH-13). */
function vain(line: Line, layout: Layout, seats: Seat[]): Scene | null {
  const melting = /^meltdown (.*)$/.exec(line.text)?.[1];
  if (!melting || line.effects.length > 0) return null;
  const text = `${nameOf(seats, line.seat)} calls it on ${melting}, in vain.`;
  return { kind: 'void', title: 'Meltdown?', text, colour: layout.colours[line.seat] ?? '' };
}

type Of = (colour: string) => string;

function foundWords(line: Line, actor: string, of: Of): string {
  const found = effects(line, 'finds').map(({ spaces }) => of(spaces[0]));
  const pieces = effects(line, 'hands_over').reduce((sum, { value }) => sum + value, 0);
  const [are, hand] = found.length > 1 ? ['are', 'hand'] : ['is', 'hands'];
  const over = pieces ? ` and ${hand} over ${counted(pieces, 'piece')}` : '';
  return `${actor} finds ${list(found)}, who ${are} in the icehouse for good${over}.`;
}

function falseWords(line: Line, actor: string): string {
  const costs = effect(line, 'owes') ? `${actor} must give away a piece.` : `${actor} called in vain.`;
  return `Nobody was in the icehouse. ${costs}`;
}

/** A call that comes too late says by how much, and after whose. */
function voidWords({ seat }: Line, { value }: Void, seats: Seat[], first?: number): string {
  const actor = nameOf(seats, seat);
  if (value === null || first === seat) return `${actor} calls icehouse again, which does not count.`;
  const time = `by ${(Math.max(1, value) / 1000).toPrecision(1)} s`;
  return first === undefined
    ? `${actor} calls icehouse too: another call was first ${time}.`
    : `${actor} calls icehouse too: ${nameOf(seats, first)} was first ${time}.`;
}

function meltWords({ spaces, value }: Melts, of: Of): string {
  return `${counted(spaces.length, 'attacker')} ${spaces.length > 1 ? 'go' : 'goes'} home to ${of(value)}.`;
}

export function giftWords({ spaces: [from, to], value }: Pick<Gives, 'spaces' | 'value'>, of: Of): string {
  const { size, colour } = readKind(value);
  return `${of(from)} gives ${of(to)} a ${SIZE_WORDS[size]} ${colour}.`;
}
