/** The reviews of games without turns: each game has its own. */

import type { Component } from 'svelte';
import { load } from '../app/bundles';
import type { ReviewProps } from '../chapters/chapters';

const reviews: Record<string, () => Promise<Component<ReviewProps>>> = {
  icehouse: async () => (await import('./icehouse/review/Review.svelte')).default as Component<ReviewProps>,
};

/** What shows the review of a game. Where it can’t be loaded, an Error that says so. */
export async function loadReview(game: string): Promise<Component<ReviewProps>> {
  const bundle = reviews[game];
  if (!bundle) throw new Error('This app can’t show the review of this game yet.');
  return load(bundle);
}
