/** Which sounds an act makes: each game says it for its effects. */

import type { Sound } from '../app/sounds';
import type { Effect, Line } from '../wire';

/** A sound, or what tells it; null: none. */
export type SoundOf<T> = Sound | ((what: T) => Sound | null);

/** By kind of effect. `act`: what is heard as an act begins, whatever comes of it. */
export interface AnySounds {
  act?: (line: Line) => Sound | null;
  [kind: string]: SoundOf<Effect> | ((line: Line) => Sound | null) | undefined;
}

/** What is heard when these effects of an act are seen, each sound once; with none of them, as it begins. */
export function heard(sounds: AnySounds, line: Line, effects: Effect[]): Sound[] {
  if (effects.length === 0) return present([sounds.act?.(line)]);
  return present(effects.map((one) => soundOf(sounds[one.kind] as SoundOf<Effect> | undefined, one)));
}

/** How long little news trembles in the hand, in milliseconds; others' landings do not. */
const LANDED = 12;
const PATTERNS: Partial<Record<Sound, number[]>> = {
  call: [60, 40, 120],
  crash: [140],
  bell: [90, 60, 90, 60, 180],
};

/** How a sound is felt. */
export function felt(sound: Sound, mine: boolean): number[] | null {
  return PATTERNS[sound] ?? (mine && sound.startsWith('land') ? [LANDED] : null);
}

function soundOf<T>(sound: SoundOf<T> | undefined, what: T): Sound | null {
  return typeof sound === 'function' ? sound(what) : (sound ?? null);
}

function present(sounds: (Sound | null | undefined)[]): Sound[] {
  return [...new Set(sounds.filter((one) => one !== null && one !== undefined))];
}
