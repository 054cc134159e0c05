/** The server's sentences about a game, with the players' names. */

import { playedWords } from '../../../app/clocks';
import { who, whose } from '../../../board/words';
import type { Seat } from '../../../wire';
import type { Review } from './wire';

/** "{0} iced {1's} large: {1} -3." becomes "You iced Ann’s large: Ann −3." */
export function named(text: string, seats: Seat[]): string {
  const filled = text.replace(/\{(\d+)('s)?( own)?\}/g, (_, digits: string, of?: string, own = '', at?: number) => {
    const seat = Number(digits);
    const name = of ? (own && who(seats, seat) !== 'You' ? 'their' : whose(seats, seat)) : who(seats, seat);
    const word = /^you(r)?$/i.test(name) ? `${at === 0 ? 'Y' : 'y'}${name.slice(1)}` : name;
    return word + own;
  });
  return signed(filled);
}

/** Hyphens before digits as minus signs. */
export function signed(text: string): string {
  return text.replace(/-(?=\d)/g, '−');
}

/** "1:02 of 2:35: Ann 12, You 7": the moment shown. */
export function stepWords({ course, length }: Review, seats: Seat[], act: number): string {
  const { at, scores } = course[act]!;
  const words = scores.map((score, seat) => `${who(seats, seat)} ${score}`).join(', ');
  return `${playedWords(at)} of ${playedWords(length)}: ${words}`;
}
