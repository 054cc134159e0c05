/** Acts in the notation of any game: `S@b1`, `L:cyan@b2`, `b2-c3`, `~d1*e8`, `end`. */

import { notation } from '../app/prefs.svelte';
import type { GameView } from '../board/game-view';
import type { Frame, Line, TableInfo } from '../wire';

/** The parts of a table that words about acts depend on. */
export type WordsTable = Pick<TableInfo, 'layout' | 'seats'>;

export interface ParsedAct {
  /** The space that a piece leaves; undefined for a piece from a supply. */
  from?: string;
  /** The piece from a supply. */
  piece?: string;
  /** Undefined if the act has no space on the board. */
  to?: string;
  /** Two pieces swap places. */
  swap: boolean;
  /** The die decides the act. */
  die: boolean;
}

const PLACEMENT = /^([A-Z])(?::\w+)?@(\w+)$/;
const MOVE = /^(~?)([a-z]\d+)([-*])([a-z]\d+)$/;

export function parseAct(text: string): ParsedAct {
  const placed = PLACEMENT.exec(text);
  if (placed) return { piece: placed[1]!, to: placed[2]!, swap: false, die: false };
  const moved = MOVE.exec(text);
  if (moved) return { from: moved[2]!, to: moved[4]!, swap: moved[3] === '*', die: moved[1] === '~' };
  return { swap: false, die: false };
}

/** An act in notation or in words, as the user prefers. */
export function formatAct(text: string, kinds: Record<string, string>): string {
  return notation.value ? text : actWords(text, kinds);
}

/** "junior on c2, captain leaps to b2"; chance events too, for which lists of moves have symbols. */
export function playedWords(
  line: Line,
  { view }: Frame,
  { layout, seats }: WordsTable,
  game: GameView | undefined,
): string {
  const words = line.seat < 0 ? game?.say(layout, line, seats) : game?.brief(layout, line, seats, view);
  return words?.replace(/[.!]$/, '') ?? line.text;
}

/** "large on b1", "b2–c3", "die d8–d7", "swap d1 and e8"; `kinds`: names of pieces and sides of dice. */
export function actWords(text: string, kinds: Record<string, string>): string {
  const { from, piece, to, swap, die } = parseAct(text);
  if (piece) return `${kinds[piece] ?? piece}${colourSuffix(text)} on ${to}`;
  if (from) return swap ? `swap ${from} and ${to}` : `${die ? 'die ' : ''}${from}–${to}`;
  const [kind = '', value] = text.split(':');
  switch (kind) {
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

function colourSuffix(text: string): string {
  const colour = /:(\w+)@/.exec(text)?.[1];
  return colour ? ` ${colour}` : '';
}
