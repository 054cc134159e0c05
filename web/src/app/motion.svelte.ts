/** Whether and how fast things move: as the system prefers, unless the user has chosen. */

import { MediaQuery } from 'svelte/reactivity';
import { motion, type Motion } from './prefs.svelte';

const FAST_FACTOR = 2;

const systemStill = new MediaQuery('(prefers-reduced-motion: reduce)');

export function isSystemStill(): boolean {
  return systemStill.current;
}

export function motionNow(): Exclude<Motion, 'system'> {
  if (motion.value !== 'system') return motion.value;
  return isSystemStill() ? 'none' : 'normal';
}

export function isStill(): boolean {
  return motionNow() === 'none';
}

/** The speed of animations relative to normal. */
export function pace(): number {
  return motionNow() === 'fast' ? FAST_FACTOR : 1;
}
