/** Help for learners: the server's threats, sorted and in words. */

import { counted, list } from '../../app/words';
import type { Seat } from '../../wire';
import { nameOf } from '../../board/words';
import { kindsWords, kindWords, rectangleName, readPyramid, ROLL_WORDS } from './game';
import type { Threat, View } from './wire';

export const GOAL = 'Goal: four of your own at the corners of a rectangle, none of them in a home row.';

/** A seat's threats, those with the most captures first. */
export function threatsOf({ threats }: View, seat: number): Threat[] {
  return threats.filter((threat) => threat.seat === seat).sort((a, b) => b.prey.length - a.prey.length);
}

/** "Threatens 2 rectangles". */
export function nearWords(view: View, seat: number): string {
  const { length } = threatsOf(view, seat);
  return length === 0 ? 'No threat' : `Threatens ${counted(length, 'rectangle')}`;
}

/** The best chance and the worst danger of a seat, in a sentence each; without either, the goal of the game. */
export function helpWords(view: View, seats: Seat[], seat: number): string[] {
  const [chance] = threatsOf(view, seat);
  const dangers = view.threats
    .map((threat) => ({ ...threat, prey: threat.prey.filter((square) => ownerOf(view, square) === seat) }))
    .filter((threat) => threat.seat !== seat && threat.prey.length > 0)
    .sort((a, b) => b.prey.length - a.prey.length);
  const words = [...(chance ? [chanceWords(chance, view)] : []), ...dangers.slice(0, 1).map(dangerIn(view, seats))];
  return words.length ? words : [GOAL];
}

/** Help about a square: "threatened by Ben", "completes rectangle c3–f6". */
export function squareHelp(view: View, square: string, seats: Seat[], seat: number | null): string[] {
  const captors = view.threats.filter(({ prey }) => prey.includes(square)).map((threat) => threat.seat);
  const completes = view.threats.filter((threat) => threat.seat === seat && threat.missing === square);
  return [
    ...(captors.length ? [`threatened by ${list([...new Set(captors)].map((captor) => nameOf(seats, captor)))}`] : []),
    ...completes.map(({ corners }) => `completes rectangle ${rectangleName(corners)}`),
  ];
}

/** "f3 completes c3–f6 and captures a drone (move; die: swap, wild)." */
function chanceWords({ corners, missing, move, rolls, prey }: Threat, view: View): string {
  const die = rolls.length ? [`die: ${rolls.map((roll) => ROLL_WORDS[roll]).join(', ')}`] : [];
  const means = [...(move ? ['move'] : []), ...die].join('; ');
  const captures = prey.length ? ` and captures ${kindsWords(prey.map((square) => view.pieces[square]!))}` : '';
  return `${missing} completes ${rectangleName(corners)}${captures} (${means}).`;
}

function dangerIn({ pieces }: View, seats: Seat[]): (threat: Threat) => string {
  return ({ seat, prey }) => {
    const named = prey.map((square) => `${kindWords(pieces[square]!)} on ${square}`);
    return `${nameOf(seats, seat)} threatens your ${list(named)}.`;
  };
}

function ownerOf({ pieces }: View, square: string): number | null {
  const name = pieces[square];
  return name === undefined ? null : readPyramid(name).seat;
}
