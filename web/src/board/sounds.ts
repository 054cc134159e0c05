/** The sounds of acts, which each game defines for its effects. */

import type { Sound } from '../app/sounds';
import type { Effect, Line } from '../wire';

/** A sound, or a function that returns it; null: none. */
export type SoundOf<T> = Sound | ((what: T) => Sound | null);

/** By kind of effect. `act`: the sound at the start of an act, whatever its effects. */
export interface AnySounds {
  act?: (line: Line) => Sound | null;
  [kind: string]: SoundOf<Effect> | ((line: Line) => Sound | null) | undefined;
}

/** The sounds of these effects of an act, each once; without effects, the sound at its start. */
export function soundsOf(sounds: AnySounds, line: Line, effects: Effect[]): Sound[] {
  if (effects.length === 0) return distinct([sounds.act?.(line)]);
  return distinct(effects.map((effect) => soundOf(sounds[effect.kind] as SoundOf<Effect> | undefined, effect)));
}

const LANDING_MS = 12;
const VIBRATIONS: Partial<Record<Sound, number[]>> = {
  call: [60, 40, 120],
  crash: [140],
  bell: [90, 60, 90, 60, 180],
};

/** The vibration of a sound; landings only vibrate for the player who acts. */
export function vibrationOf(sound: Sound, mine: boolean): number[] | null {
  return VIBRATIONS[sound] ?? (mine && sound.startsWith('land') ? [LANDING_MS] : null);
}

function soundOf<T>(sound: SoundOf<T> | undefined, what: T): Sound | null {
  return typeof sound === 'function' ? sound(what) : (sound ?? null);
}

function distinct(sounds: (Sound | null | undefined)[]): Sound[] {
  return [...new Set(sounds.filter((sound) => sound !== null && sound !== undefined))];
}
