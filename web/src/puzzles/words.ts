/** What is said of a try at a puzzle. */

import type { GameView } from '../board/game-view';
import { capital } from '../board/words';
import { percent } from '../review/words';
import { who } from '../table/words';
import type { Frame, Line, PuzzleVerdict, TableInfo } from '../wire';
import type { Result } from './progress';

/** "Green answers: junior on c2. You would have 20 % of the game, not 85 %.": why an act is wrong. */
export function refutation(verdict: PuzzleVerdict, table: TableInfo, game: GameView | undefined, seat: number): string {
  const { reply, told, worth, best } = verdict;
  if (worth === null || best === null) return told;
  const answer = reply.find(({ line }) => line !== null && line.seat >= 0 && line.seat !== seat);
  const said = answer?.line
    ? `${who(table.seats, answer.line.seat)} answers: ${moveWords(answer.line, answer, table, game)}. `
    : '';
  return said + worthWords(worth, best);
}

/** "junior on c2, captain leaps to b2"; of chance what a list of moves has a sign for, in words. */
export function moveWords(
  line: Line,
  { view }: Frame,
  { layout, seats }: TableInfo,
  game: GameView | undefined,
): string {
  const words = line.seat < 0 ? game?.say(layout, line, seats) : game?.brief(layout, line, seats, view);
  return words?.replace(/[.!]$/, '') ?? line.text;
}

/** "You would lose, and could win", "You would have 20 % of the game, not 85 %". */
function worthWords(worth: number, best: number): string {
  const mine = worth === 0 ? 'lose' : `have ${percent(worth)} of the game`;
  if (best === 1) return `You would ${mine}, and could win.`;
  return `You would ${mine}, ${worth === 0 ? `and could have ${percent(best)} of the game` : `not ${percent(best)}`}.`;
}

/** "solved", "solved after a mistake"; `whole`: as a sentence begins. */
export function resultWords(result: Result, whole = false): string {
  const words = { solved: 'solved', late: 'solved after a mistake', failed: 'failed' }[result];
  return whole ? capital(words) : words;
}
