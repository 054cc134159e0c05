/** Parts of the page that only some games ask for. Their bundles are loaded before the board of such a game is shown. */

import { load } from '../../app/bundles';
import { hasColours } from './game';
import type * as counted from './parts/counted';
import type * as pond from './parts/pond';
import type * as signs from './parts/signs';
import type { Layout } from './wire';

type Parts = typeof counted & typeof pond & typeof signs;

/** Those that are loaded. */
export const parts: Partial<Parts> = {};

/** Loads those that a layout asks for. */
export async function loadParts(layout: Layout): Promise<void> {
  const { counts, covers, around, ground, shows, help, effects } = layout;
  const asked: Promise<Partial<Parts>>[] = [];
  if (counts || covers || hasColours(layout)) asked.push(load(() => import('./parts/counted')));
  if (around || ground === 'lilies') asked.push(load(() => import('./parts/pond')));
  if (shows || help || Object.values(effects).some(({ shape }) => shape)) {
    asked.push(load(() => import('./parts/signs')));
  }
  for (const bundle of await Promise.all(asked)) Object.assign(parts, bundle);
}
