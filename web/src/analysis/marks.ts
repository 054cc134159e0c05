/** Highlights of an analysis on the board: the best acts, or the chosen line. */

import type { Hint } from '../board/game-view';
import type { Analysed, AnalysedAct } from '../wire';
import { parseAct } from '../review/acts';

const MAX_ARROWS = 3;
/** If there are more targets, they have no labels with values. */
const MAX_LABELLED = 12;
const MAX_LINE_ACTS = 4;
/** Worse acts have no arrow, in shares of the game. */
const MAX_REGRET = 0.1;

/** The acts to highlight, the best last and so on top. */
export function hintsOf(analysis: Analysed, chosen: string | null): Hint[] {
  const line = analysis.candidates.find(({ act }) => act === chosen)?.line;
  if (line) return lineHints(line);
  const seat = analysis.seat ?? 0;
  const valueOf = ({ worth }: AnalysedAct): number => worth[seat] ?? 0;
  const placed = analysis.candidates.filter(({ act }) => parseAct(act).to !== undefined);
  const targets = new Map<string, AnalysedAct>();
  for (const candidate of placed) {
    const { to } = parseAct(candidate.act);
    if (!targets.has(to!)) targets.set(to!, candidate);
  }
  const best = placed[0];
  const arrows = placed.slice(0, MAX_ARROWS).filter((candidate) => valueOf(candidate) >= valueOf(best!) - MAX_REGRET);
  const isLabelled = (candidate: AnalysedAct): boolean => targets.get(parseAct(candidate.act).to!) === candidate;
  // An act from a supply marks only its target, which a better act has marked already.
  const isShown = (candidate: AnalysedAct): boolean =>
    isLabelled(candidate)
      ? targets.size <= MAX_LABELLED || arrows.includes(candidate)
      : arrows.includes(candidate) && parseAct(candidate.act).from !== undefined;
  return placed
    .filter(isShown)
    .toReversed()
    .map((candidate) => ({
      ...parseAct(candidate.act),
      text: candidate.act,
      label: String(Math.round(100 * valueOf(candidate))),
      rank: candidate === best ? 'best' : arrows.includes(candidate) ? 'good' : 'other',
    }));
}

/** The first acts of a line with their numbers, except those that would hide an earlier one. */
function lineHints(line: string[]): Hint[] {
  const seen = new Set<string>();
  return line
    .slice(0, MAX_LINE_ACTS)
    .map((text, index): Hint => {
      const rank = index === 0 ? 'best' : 'good';
      return { ...parseAct(text), text: `${index} ${text}`, label: `${index + 1}.`, rank };
    })
    .filter(({ to }) => to !== undefined && !seen.has(to) && seen.add(to))
    .toReversed();
}
