/** Sound and vibration, if the browser allows them and the user wants them. */

import { isSystemStill } from './motion.svelte';
import { Preference, vibration, volume } from './prefs.svelte';
import { RECIPES, type Sound } from './sounds';
import { Synth } from './synth';

/** Off by default if the system prefers reduced motion. */
export const soundOn = new Preference<boolean>('sound', !isSystemStill());

/** A sound that is repeated sooner would only be louder. */
const MIN_INTERVAL_MS = 45;
/** More sounds at a time can't be distinguished. */
const MAX_SOUNDS = 10;
const WINDOW_MS = 500;

let context: AudioContext | null = null;
let synth: Synth | null = null;
const lastPlayed = new Map<Sound, number>();

/** To be called once: browsers allow sound only after a user gesture. */
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

/** `level`: from 0 to 1, relative to the user's volume; `after`: a delay in seconds. */
export function play(sound: Sound, level = 1, after = 0): void {
  if (!soundOn.value || context?.state !== 'running' || !synth) return;
  const now = performance.now() + after * 1000;
  if (now - (lastPlayed.get(sound) ?? -Infinity) < MIN_INTERVAL_MS) return;
  if ([...lastPlayed.values()].filter((at) => now - at < WINDOW_MS).length >= MAX_SOUNDS) return;
  lastPlayed.set(sound, now);
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

/** `pattern`: alternating milliseconds of vibration and pause. */
export function vibrate(pattern: number | number[]): void {
  if (!vibration.value || !('vibrate' in navigator) || !navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate(pattern);
}
