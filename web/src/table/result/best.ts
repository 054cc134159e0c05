/** The best solo scores of this browser's player, by game and options. */

import { read, write } from '../../app/storage';
import type { TableInfo } from '../../wire';

const PREFIX = 'best.';

/** `before`: the previous best score; null if there was none. */
interface Best {
  table: string;
  score: number;
  before: number | null;
}

/** Compares a solo score with the best so far, and stores it; a table always gets the same words. */
export function bestNews({ id, game, options }: Pick<TableInfo, 'id' | 'game' | 'options'>, score: number): string {
  const key = JSON.stringify(Object.entries(options).sort());
  const stored = storedBests(game);
  const best = stored[key];
  const before = best?.table === id ? best.before : (best?.score ?? null);
  if (before === null || score > before) write(PREFIX + game, { ...stored, [key]: { table: id, score, before } });
  if (before === null) return 'The score to beat next time.';
  if (score > before) return `Your best score so far: it was ${before} before.`;
  return score === before ? 'As good as your best score.' : `Your best score is ${before}.`;
}

function storedBests(game: string): Partial<Record<string, Best>> {
  const stored = read(PREFIX + game);
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => isBest(value)));
}

function isBest(stored: unknown): stored is Best {
  if (typeof stored !== 'object' || stored === null || !('score' in stored) || !('before' in stored)) return false;
  return typeof stored.score === 'number' && (stored.before === null || typeof stored.before === 'number');
}
