/** The reviews of games without turns: each game has its own. */

import type { Component } from 'svelte';
import { load } from '../app/bundles';
import type { ReviewProps } from '../chapters/chapters';

const reviews: Record<string, () => Promise<Component<ReviewProps>>> = {
  icehouse: async () => (await import('./icehouse/review/Review.svelte')).default as Component<ReviewProps>,
};

/** The component for the review of a game. Throws an Error with a message for the user. */
export async function loadReview(game: string): Promise<Component<ReviewProps>> {
  const bundle = reviews[game];
  if (!bundle) throw new Error('This app can’t show the review of this game yet.');
  return load(bundle);
}
