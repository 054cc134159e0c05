/** The act that was better than an act with a label: on the board and in words. */

import { capital } from '../board/words';
import type { Hint } from '../board/game-view';
import type { Review, ReviewedAct } from '../wire';
import { actWords, parseAct } from './acts';
import { GLYPHS } from './glyphs';

/** The labelled act next to the position after `seq` acts: the previous one, which was just shown, or the next one. */
export function subject({ acts }: Review, seq: number): number | undefined {
  return [seq - 1, seq].find((index) => acts[index]?.label && acts[index].best);
}

/** The best act, last and so on top, and the act that was played instead. */
export function betterHints({ act, best, label }: ReviewedAct): Hint[] {
  if (!label || !best) return [];
  const better: Hint = { ...parseAct(best), text: `best ${best}`, label: 'best', rank: 'best' };
  const played: Hint = { ...parseAct(act), text: `played ${act}`, label: GLYPHS[label], rank: 'played', tone: label };
  const isShared = played.to === better.to;
  if (isShared && !played.from) return [better]; // one ring is enough
  return [isShared ? { ...played, label: '' } : played, better];
}

/** For screen readers: "Blunder: c3–c4 was best.", "Next, c3–b1 is a mistake: c3–c4 is best." */
export function betterWords({ acts }: Review, index: number, seq: number, kinds: Record<string, string>): string {
  const { act, best, label } = acts[index]!;
  const better = actWords(best!, kinds);
  if (index < seq) return `${capital(label!)}: ${better} was best.`;
  return `Next, ${actWords(act, kinds)} is ${label === 'inaccuracy' ? 'an' : 'a'} ${label}: ${better} is best.`;
}
