/** How much moves, and how fast: the system's choice until the user makes another. */

import { MediaQuery } from 'svelte/reactivity';
import { motion, type Motion } from './prefs.svelte';

/** How much faster than usual. */
const FAST = 2;

const systemStill = new MediaQuery('(prefers-reduced-motion: reduce)');

export function isSystemStill(): boolean {
  return systemStill.current;
}

export function motionNow(): Exclude<Motion, 'system'> {
  if (motion.value !== 'system') return motion.value;
  return isSystemStill() ? 'none' : 'normal';
}

/** Whether nothing is to move. */
export function isStill(): boolean {
  return motionNow() === 'none';
}

/** How much faster than usual things move. */
export function pace(): number {
  return motionNow() === 'fast' ? FAST : 1;
}
