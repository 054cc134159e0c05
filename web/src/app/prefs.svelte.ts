/** The user's preferences, kept by the browser. */

import { read, write } from './storage';

export class Preference<T extends string | number | boolean> {
  #key: string;
  #value = $state() as T;

  constructor(key: string, fallback: T, allowed?: readonly T[]) {
    this.#key = key;
    const kept = read(key) as T;
    const fits = typeof kept === typeof fallback && (allowed?.includes(kept) ?? true);
    this.#value = fits ? kept : fallback;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    write(this.#key, value);
  }
}

export type Theme = 'system' | 'light' | 'dark';

export type Motion = 'system' | 'normal' | 'fast' | 'none';
export type Contrast = 'system' | 'standard' | 'high';

export const theme = new Preference<Theme>('theme', 'system', ['system', 'light', 'dark']);
export const playerName = new Preference<string>('name', '');
/** The game last chosen in the lobby. */
export const gameName = new Preference<string>('game', '');
export const levelName = new Preference<string>('level', '');
/** How boards and pages move. */
export const motion = new Preference<Motion>('motion', 'system', ['system', 'normal', 'fast', 'none']);
/** How the boards stand out. */
export const contrast = new Preference<Contrast>('contrast', 'system', ['system', 'standard', 'high']);
/** Whether pyramids bear the mark of their colour. */
export const colourMarks = new Preference<boolean>('marks', true);
/** From 1 to 100. */
export const volume = new Preference<number>('volume', 60);
export const vibration = new Preference<boolean>('vibration', true);
/** Whether the browser tells of a turn while the page is hidden. */
export const notices = new Preference<boolean>('notices', false);
/** Whether a move waits until it is confirmed. */
export const confirmMoves = new Preference<boolean>('confirm', false);
/** Whether the chat is shown. */
export const chatShown = new Preference<boolean>('talk', true);
/** Whether moves are listed as records write them. */
export const notation = new Preference<boolean>('notation', false);
/** Whether single keys such as `u` or `[` are shortcuts; users of voice control may want them off. */
export const singleKeys = new Preference<boolean>('keys', true);
/** Whether a board shows learners what players have to notice themselves. */
export const helper = new Preference<boolean>('helper', false);
