/** The signs with which games are annotated; the list of moves has them, whatever else of a review is not loaded. */

import type { ActLabel } from '../wire';

export const GLYPHS: Record<ActLabel, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
