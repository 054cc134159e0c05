/** The best score that this browser's player has come to alone, with the same game and options. */

import { read, write } from '../../app/storage';
import type { TableInfo } from '../../wire';

const PREFIX = 'best.';

/** `before`: the best score before it, null where there was none. */
interface Best {
  table: string;
  score: number;
  before: number | null;
}

/** What a score alone is against the best so far, which is kept: looked at again, it is told again. */
export function bestNews({ id, game, options }: Pick<TableInfo, 'id' | 'game' | 'options'>, score: number): string {
  const key = JSON.stringify(Object.entries(options).sort());
  const kept = keptBests(game);
  const best = kept[key];
  const before = best?.table === id ? best.before : (best?.score ?? null);
  if (before === null || score > before) write(PREFIX + game, { ...kept, [key]: { table: id, score, before } });
  if (before === null) return 'The score to beat next time.';
  if (score > before) return `Your best score so far: it was ${before} before.`;
  return score === before ? 'As good as your best score.' : `Your best score is ${before}.`;
}

function keptBests(game: string): Partial<Record<string, Best>> {
  const kept = read(PREFIX + game);
  if (typeof kept !== 'object' || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([, one]) => isBest(one)));
}

function isBest(kept: unknown): kept is Best {
  if (typeof kept !== 'object' || kept === null || !('score' in kept) || !('before' in kept)) return false;
  return typeof kept.score === 'number' && (kept.before === null || typeof kept.before === 'number');
}
