/** Short news about calls and their consequences, shown over the field. */

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
  /** The colour of the player it is about. */
  colour: string;
}

/** Whether it is frequent and soon outdated, so that the newest replaces the previous one. */
export function isSmall({ kind }: Scene): boolean {
  return ['start', 'void', 'capture', 'gift'].includes(kind);
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
  const actor = nameOf(seats, line.seat);
  const colour = layout.colours[line.seat] ?? '';
  const name = (owner: string) => nameOf(seats, seatOf(layout, owner));
  const news = (kind: Scene['kind'], title: string, text: string, whose = colour): Scene => ({
    kind,
    title,
    text,
    colour: whose,
  });
  for (const event of line.effects) {
    switch (event.kind) {
      case 'starts':
        return news('start', 'Go!', 'Everybody plays at once.');
      case 'rings':
        return news('bell', 'The bell rings', 'Play stops.');
      case 'finds':
        return news('found', 'Icehouse!', foundWords(line, actor, name), event.spaces[0]);
      case 'false_call':
        return news('false', 'False call!', falseWords(line, actor));
      case 'void':
        return news('void', event.value === null ? 'Too soon' : 'Too late', voidWords(line, event, seats, first));
      case 'crashes':
        return news('crash', 'Crash!', `${actor} must give the ${kindWords(readKind(event.value))} to an opponent.`);
      case 'melts':
        return news('melt', 'Meltdown!', meltWords(event, name), event.value);
      case 'captures': {
        const kind = readKind(event.value);
        return news('capture', 'Captured', `${actor} takes a ${kindWords(kind)} prisoner.`);
      }
      case 'gives':
        return news('gift', 'Given', giftWords(event, name));
    }
  }
  return null;
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
  const name = (colour: string) => nameOf(seats, seatOf(layout, colour));
  return { kind: 'gift', title: TIME_IS_UP, text: giftWords(gift, name), colour: gift.spaces[0] };
}

/** A call of meltdown has no effect if enough defenders stand (IH-13). */
function vainScene(line: Line, layout: Layout, seats: Seat[]): Scene | null {
  const melting = /^meltdown (.*)$/.exec(line.text)?.[1];
  if (!melting || line.effects.length > 0) return null;
  const text = `${nameOf(seats, line.seat)} calls it on ${melting}, in vain.`;
  return { kind: 'void', title: 'Meltdown?', text, colour: layout.colours[line.seat] ?? '' };
}

type Namer = (colour: string) => string;

function foundWords(line: Line, actor: string, name: Namer): string {
  const found = effects(line, 'finds').map(({ spaces }) => name(spaces[0]));
  const pieces = effects(line, 'hands_over').reduce((sum, { value }) => sum + value, 0);
  const [are, hand] = found.length > 1 ? ['are', 'hand'] : ['is', 'hands'];
  const over = pieces ? ` and ${hand} over ${counted(pieces, 'piece')}` : '';
  return `${actor} finds ${list(found)}, who ${are} in the icehouse for good${over}.`;
}

function falseWords(line: Line, actor: string): string {
  const costs = effect(line, 'owes') ? `${actor} must give away a piece.` : `${actor} called in vain.`;
  return `Nobody was in the icehouse. ${costs}`;
}

/** Says who called first, and by how much, if the call was too late. */
function voidWords({ seat }: Line, { value }: Void, seats: Seat[], first?: number): string {
  const actor = nameOf(seats, seat);
  if (value === null || first === seat) return `${actor} calls icehouse again, which does not count.`;
  const time = `by ${(Math.max(1, value) / 1000).toPrecision(1)} s`;
  return first === undefined
    ? `${actor} calls icehouse too: another call was first ${time}.`
    : `${actor} calls icehouse too: ${nameOf(seats, first)} was first ${time}.`;
}

function meltWords({ spaces, value }: Melts, name: Namer): string {
  return `${counted(spaces.length, 'attacker')} ${spaces.length > 1 ? 'go' : 'goes'} home to ${name(value)}.`;
}

export function giftWords({ spaces: [from, to], value }: Pick<Gives, 'spaces' | 'value'>, name: Namer): string {
  const { size, colour } = readKind(value);
  return `${name(from)} gives ${name(to)} a ${SIZE_WORDS[size]} ${colour}.`;
}
