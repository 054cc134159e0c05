/** An analysis in words. */

import { actWords } from '../review/acts';
import { percent, sharesWords } from '../review/words';
import type { Analysed, Seat } from '../wire';

/** For screen readers, once per position: "Best: large on b1. Ann 62%, Ben 38%." */
export function spokenWords(analysis: Analysed, seats: Seat[], kinds: Record<string, string>): string {
  const shares = `${sharesWords(seats, analysis.worth)}.`;
  const [best] = analysis.candidates;
  if (analysis.seat === null) return `The game is over here. ${shares}`;
  return best ? `Best: ${actWords(best.act, kinds)}. ${shares}` : `Chance is next. ${shares}`;
}

/** The progress of the search. */
export function depthWords({ simulations, last, exact, seat }: Analysed): string {
  if (exact) return seat === null ? 'This is certain.' : 'This is solved.';
  return `${simulations.toLocaleString('en')} simulations${last ? '' : ', searching…'}`;
}

/** "62%"; "wins" or "loses" if solved. */
export function valueWords(worth: number, exact: boolean): string {
  if (!exact) return percent(worth);
  return worth === 1 ? 'wins' : worth === 0 ? 'loses' : `${percent(worth)}, solved`;
}
