/** Words that the games share. */

import { counted, list } from '../app/words';
import { COLOURS, isColour, type Colour } from '../pieces/colours';
import type { Effect, Line, Seat, View } from '../wire';

export function colourOf(seats: Seat[], seat: number): Colour {
  const colour = seats[seat]?.colour ?? '';
  return isColour(colour) ? colour : COLOURS[seat % COLOURS.length]!;
}

export function nameOf(seats: Seat[], seat: number): string {
  return seats[seat]?.name || `Seat ${seat + 1}`;
}

/** "Ann's large red pyramid"; the colour is left out where the seat is named by it. */
export function owned(seats: Seat[], seat: number, kind: string, noun: string): string {
  const colour = colourOf(seats, seat);
  const name = nameOf(seats, seat);
  const words = [kind, name.toLowerCase() === colour ? '' : colour, noun];
  return `${name}'s ${words.filter(Boolean).join(' ')}`;
}

/** "Ann has won." or "The game is drawn."; while the game goes on, the seats to move. */
export function standing(view: View, seats: Seat[], turn: string): string {
  if (view.over) {
    const winners = view.winners.map((seat) => nameOf(seats, seat));
    const drawn = seats.length > 1 && winners.length === seats.length;
    return drawn ? 'The game is drawn.' : `${list(winners)} ${winners.length > 1 ? 'have' : 'has'} won.`;
  }
  const movers = view.to_act.map((seat) => `${nameOf(seats, seat)} (${colourOf(seats, seat)})`);
  return `${turn}: ${list(movers)} to move.`;
}

export function effects(line: Line | null, kind: string): Effect[] {
  return line?.effects.filter((one) => one.kind === kind) ?? [];
}

export function effect(line: Line | null, kind: string): Effect | undefined {
  return line?.effects.find((one) => one.kind === kind);
}

/** "1 point", "7 points". */
export function pointWords(points: number): string {
  return counted(points, 'point');
}
