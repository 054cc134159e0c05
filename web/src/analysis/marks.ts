/** What an analysis shows on the board: the best acts, or the line that was chosen. */

import type { Hint } from '../board/game-view';
import type { Analysed, AnalysedAct } from '../wire';
import { readAct } from '../review/acts';

/** So many of the best acts have arrows. */
const ARROWS = 3;
/** No more targets than this tell what the best act there is worth. */
const MAX_LABELLED = 12;
/** So many acts of a line are shown. */
const LINE = 4;
/** Acts that are worth so much less than the best have no arrow, in shares of the game. */
const FAR = 0.1;

/** The acts on the board, the best last, so that it lies on top. */
export function hintsOf(found: Analysed, chosen: string | null): Hint[] {
  const line = found.candidates.find(({ act }) => act === chosen)?.line;
  if (line) return lineHints(line);
  const seat = found.seat ?? 0;
  const worth = ({ worth }: AnalysedAct): number => worth[seat] ?? 0;
  const placed = found.candidates.filter(({ act }) => readAct(act).to !== undefined);
  const targets = new Map<string, AnalysedAct>();
  for (const one of placed) {
    const { to } = readAct(one.act);
    if (!targets.has(to!)) targets.set(to!, one);
  }
  const best = placed[0];
  const arrows = placed.slice(0, ARROWS).filter((one) => worth(one) >= worth(best!) - FAR);
  const isLabelled = (one: AnalysedAct): boolean => targets.get(readAct(one.act).to!) === one;
  // Without a way an act shows no more than its target, where a better one lies already.
  const isShown = (one: AnalysedAct): boolean =>
    isLabelled(one)
      ? targets.size <= MAX_LABELLED || arrows.includes(one)
      : arrows.includes(one) && readAct(one.act).from !== undefined;
  return placed
    .filter(isShown)
    .toReversed()
    .map((one) => ({
      ...readAct(one.act),
      text: one.act,
      label: String(Math.round(100 * worth(one))),
      rank: one === best ? 'best' : arrows.includes(one) ? 'good' : 'other',
    }));
}

/** The first acts of a line, by their numbers. Later ones at the same space would hide earlier ones. */
function lineHints(line: string[]): Hint[] {
  const seen = new Set<string>();
  return line
    .slice(0, LINE)
    .map((text, index): Hint => {
      const rank = index === 0 ? 'best' : 'good';
      return { ...readAct(text), text: `${index} ${text}`, label: `${index + 1}.`, rank };
    })
    .filter(({ to }) => to !== undefined && !seen.has(to) && seen.add(to))
    .toReversed();
}
