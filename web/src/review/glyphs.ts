import type { ActLabel } from '../wire';

/** Annotation symbols. A file of their own, as lists of moves need nothing else of a review. */
export const GLYPHS: Record<ActLabel, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };
