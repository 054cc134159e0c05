/** An analysis in words that players use. */

import { actWords } from '../review/acts';
import { percent, worthWords } from '../review/words';
import type { Analysed, Seat } from '../wire';

/** "Best: large on b1. Ann 62 %, Ben 38 %." What is said once about a position. */
export function spokenWords(found: Analysed, seats: Seat[], kinds: Record<string, string>): string {
  const worth = `${worthWords(seats, found.worth)}.`;
  const [best] = found.candidates;
  if (found.seat === null) return `The game is over here. ${worth}`;
  return best ? `Best: ${actWords(best.act, kinds)}. ${worth}` : `Chance is next. ${worth}`;
}

/** How far the search is. */
export function depthWords({ simulations, last, exact, seat }: Analysed): string {
  if (exact) return seat === null ? 'This is certain.' : 'This is solved.';
  return `${simulations.toLocaleString('en')} simulations${last ? '' : ', searching on…'}`;
}

/** "62 %"; where it is solved, that. */
export function worthOf(worth: number, exact: boolean): string {
  if (!exact) return percent(worth);
  return worth === 1 ? 'wins' : worth === 0 ? 'loses' : `${percent(worth)}, solved`;
}
