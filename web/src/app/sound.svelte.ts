/** Sounds and vibration, as far as the browser lets them and the user wants them. */

import { isSystemStill } from './motion.svelte';
import { Preference, vibration, volume } from './prefs.svelte';
import { RECIPES, type Sound } from './sounds';
import { Synth } from './synth';

/** A system that is asked for calm gets it, until its user wants sound. */
export const soundOn = new Preference<boolean>('sound', !isSystemStill());

/** The same sound again within this time, in milliseconds, would only be louder. */
const APART = 45;
/** Sounds in flight at most: more can't be told apart. */
const MOST = 10;

let context: AudioContext | null = null;
let synth: Synth | null = null;
const begun = new Map<Sound, number>();

/** To be called once: browsers let a page sound only after its user has touched it. */
export function awaitGesture(): void {
  for (const gesture of ['pointerup', 'keydown'] as const)
    addEventListener(gesture, wake, { capture: true, passive: true });
}

function wake(): void {
  if (!soundOn.value || typeof AudioContext === 'undefined') return;
  if (!context) {
    try {
      context = new AudioContext({ latencyHint: 'interactive' });
      synth = new Synth(context);
    } catch {
      context = synth = null; // a device without sound
      return;
    }
  }
  if (context.state !== 'running') void context.resume().catch(() => undefined);
}

/** `level`: from 0 to 1 of the user's volume; `after`: in seconds. */
export function play(sound: Sound, level = 1, after = 0): void {
  if (!soundOn.value || context?.state !== 'running' || !synth) return;
  const now = performance.now() + after * 1000;
  if (now - (begun.get(sound) ?? -Infinity) < APART) return;
  if ([...begun.values()].filter((at) => now - at < 500).length >= MOST) return;
  begun.set(sound, now);
  synth.play(RECIPES[sound], level * loudness(volume.value), after);
}

/** Ears hear ratios: half the volume is a quarter of the level. */
export function loudness(percent: number): number {
  return (Math.min(100, Math.max(0, percent)) / 100) ** 2;
}

export function turnSound(on: boolean): void {
  soundOn.value = on;
  if (on) wake();
  else void context?.suspend();
}

/** `pattern`: milliseconds of trembling, of rest, and so on. */
export function vibrate(pattern: number | number[]): void {
  if (!vibration.value || !('vibrate' in navigator) || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate(pattern);
}
