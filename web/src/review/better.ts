/** What was better than an act that has a name in a review: on the board and in words. */

import { capital } from '../board/words';
import type { Hint } from '../board/game-view';
import type { Review, ReviewedAct } from '../wire';
import { actWords, readAct } from './acts';
import { GLYPHS } from './glyphs';

/**
 * The act that the position after `seq` acts is about: the one that led to it, else the next one, if it has a name. The
 * first is what one has just seen happen; the other could still be made here.
 */
export function subject({ acts }: Review, seq: number): number | undefined {
  return [seq - 1, seq].find((index) => acts[index]?.label && acts[index].best);
}

/** The best act and the one that was played in its place, the best last, so that it lies on top. */
export function betterHints({ act, best, label }: ReviewedAct): Hint[] {
  if (!label || !best) return [];
  const better: Hint = { ...readAct(best), text: `best ${best}`, label: 'best', rank: 'best' };
  const played: Hint = { ...readAct(act), text: `played ${act}`, label: GLYPHS[label], rank: 'played', tone: label };
  const isShared = played.to === better.to;
  if (isShared && !played.from) return [better]; // two rings in one place are one
  return [isShared ? { ...played, label: '' } : played, better];
}

/** "Blunder ??: c3–c4 was best.", "Next, c3–b1 is a mistake ?: c3–c4 is best." What is said aloud has no signs. */
export function betterWords({ acts }: Review, index: number, seq: number, kinds: Record<string, string>): string {
  const { act, best, label } = acts[index]!;
  const better = actWords(best!, kinds);
  if (index < seq) return `${capital(label!)}: ${better} was best.`;
  return `Next, ${actWords(act, kinds)} is ${label === 'inaccuracy' ? 'an' : 'a'} ${label}: ${better} is best.`;
}
