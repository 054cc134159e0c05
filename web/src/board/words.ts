/** Words that the games share. */

import { counted, list } from '../app/words';
import { COLOURS, isColour, type Colour } from '../pieces/colours';
import type { Effect, Seat, View } from '../wire';

export function colourOf(seats: Seat[], seat: number): Colour {
  const colour = seats[seat]?.colour ?? '';
  return isColour(colour) ? colour : COLOURS[seat % COLOURS.length]!;
}

export function nameOf(seats: Seat[], seat: number): string {
  return seats[seat]?.name || `Seat ${seat + 1}`;
}

/** "You" if it is the only seat of this browser; otherwise the name, or the number of the seat. */
export function who(seats: Seat[], seat: number): string {
  const known = seats.find((other) => other.seat === seat);
  if (!known) return 'Chance';
  return isYou(seats, known) ? 'You' : nameOf(seats, seat);
}

export function isYou(seats: Seat[], seat: Seat): boolean {
  return seat.mine && seats.filter((other) => other.mine).length === 1;
}

/** "your", "Ann’s". */
export function whose(seats: Seat[], seat: number): string {
  const name = who(seats, seat);
  return name === 'You' ? 'your' : `${name}’s`;
}

/** "You and Ann": several seats by name, the reader first. */
export function everyone(seats: Seat[], numbers: number[]): string {
  const names = numbers.map((seat) => who(seats, seat));
  return list(names.sort((a, b) => Number(b === 'You') - Number(a === 'You')));
}

/** A verb for these seats: "has" for Ann, "have" for "You" and for several. */
export function verb(seats: Seat[], numbers: number[], third: string): string {
  const isThird = numbers.length === 1 && who(seats, numbers[0]!) !== 'You';
  return isThird ? third : ({ has: 'have', is: 'are' }[third] ?? third.replace(/(?<=ss|x|ch|sh)es$|s$/, ''));
}

/** The first letter as a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const NUMBERS = 'none one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** "none", "five", "13": a small number in a sentence. */
export function numberWords(number: number): string {
  return NUMBERS[number] ?? String(number);
}

/** "Ann's large red pyramid"; without the colour if that is the name of the seat. */
export function owned(seats: Seat[], seat: number, kind: string, noun: string): string {
  const colour = colourOf(seats, seat);
  const name = nameOf(seats, seat);
  const words = [kind, name.toLowerCase() === colour ? '' : colour, noun];
  return `${name}'s ${words.filter(Boolean).join(' ')}`;
}

/** "Ann has won." or "The game is drawn."; during the game, the seats to move. */
export function standing(view: View, seats: Seat[], turn: string): string {
  if (view.over) {
    const winners = view.winners.map((seat) => nameOf(seats, seat));
    const drawn = seats.length > 1 && winners.length === seats.length && !view.cooperative;
    return drawn ? 'The game is drawn.' : `${list(winners) || 'Nobody'} ${winners.length > 1 ? 'have' : 'has'} won.`;
  }
  const movers = view.to_act.map((seat) => `${nameOf(seats, seat)} (${colourOf(seats, seat)})`);
  return `${turn}: ${list(movers)} to move.`;
}

/** The effects of an act that are of one kind. */
export function effects<E extends Effect, K extends E['kind']>(
  line: { effects: E[] } | null,
  kind: K,
): Extract<E, { kind: K }>[] {
  return line?.effects.filter((item): item is Extract<E, { kind: K }> => item.kind === kind) ?? [];
}

/** The first effect of one kind. */
export function effect<E extends Effect, K extends E['kind']>(
  line: { effects: E[] } | null,
  kind: K,
): Extract<E, { kind: K }> | undefined {
  return effects(line, kind)[0];
}

/** Parses the name of a pyramid, such as "0L": its seat and its kind. */
export function readName<K extends string>(name: string, kinds: readonly K[]): { seat: number; kind: K } {
  const kind = kinds.find((known) => name.endsWith(known));
  if (kind === undefined) throw new Error(`No pyramid has the name ${name}.`);
  return { seat: Number(name.slice(0, -kind.length)), kind };
}

/** Parses the name of a colour. */
export function readColour(name: string): Colour {
  if (!isColour(name)) throw new Error(`There is no colour ${name}.`);
  return name;
}

/** "1 point", "7 points". */
export function pointWords(points: number): string {
  return counted(points, 'point');
}
