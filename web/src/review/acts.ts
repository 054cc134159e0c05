/** Acts in the notation of any game, as far as a board can show them: `S@b1`, `L:cyan@b2`, `b2-c3`, `~d1*e8`, `end`. */

import { notation } from '../app/prefs.svelte';
import type { GameView } from '../board/game-view';
import type { Frame, Line, TableInfo } from '../wire';

/** What words need to know of a table. */
export type Told = Pick<TableInfo, 'layout' | 'seats'>;

export interface Shown {
  /** The space that a piece leaves; undefined where it comes from a supply. */
  from?: string;
  /** Which piece comes from a supply. */
  piece?: string;
  /** Undefined where the act has no place on the board. */
  to?: string;
  /** Two pieces change places. */
  swap: boolean;
  /** It is made by the die. */
  die: boolean;
}

const PLACED = /^([A-Z])(?::\w+)?@(\w+)$/;
const MOVED = /^(~?)([a-z]\d+)([-*])([a-z]\d+)$/;

export function readAct(text: string): Shown {
  const placed = PLACED.exec(text);
  if (placed) return { piece: placed[1]!, to: placed[2]!, swap: false, die: false };
  const moved = MOVED.exec(text);
  if (moved) return { from: moved[2]!, to: moved[4]!, swap: moved[3] === '*', die: moved[1] === '~' };
  return { swap: false, die: false };
}

/** An act as the player likes to read acts: in notation, or in words. */
export function written(text: string, kinds: Record<string, string>): string {
  return notation.value ? text : actWords(text, kinds);
}

/** "junior on c2, captain leaps to b2"; of chance what a list of moves has a sign for, in words. */
export function playedWords(line: Line, { view }: Frame, { layout, seats }: Told, game: GameView | undefined): string {
  const words = line.seat < 0 ? game?.say(layout, line, seats) : game?.brief(layout, line, seats, view);
  return words?.replace(/[.!]$/, '') ?? line.text;
}

/** "large on b1", "b2–c3", "die d8–d7", "swap d1 and e8"; `kinds`: what pieces and sides of dice are called. */
export function actWords(text: string, kinds: Record<string, string>): string {
  const { from, piece, to, swap, die } = readAct(text);
  if (piece) return `${kinds[piece] ?? piece}${colourIn(text)} on ${to}`;
  if (from) return swap ? `swap ${from} and ${to}` : `${die ? 'die ' : ''}${from}–${to}`;
  const [what = '', value] = text.split(':');
  switch (what) {
    case 'end':
      return 'end the turn';
    case 'die':
      return `die: ${kinds[value ?? ''] ?? value}`;
    case 'roll':
      return `dice ${[...(value ?? '')].join(' ')}`;
    case 'deal':
      return 'the numbers are shown';
    default:
      return text;
  }
}

function colourIn(text: string): string {
  const named = /:(\w+)@/.exec(text)?.[1];
  return named ? ` ${named}` : '';
}
