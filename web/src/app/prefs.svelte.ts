/** The user's preferences, stored by the browser. */

import { read, write } from './storage';

export class Preference<T extends string | number | boolean> {
  #key: string;
  #value = $state() as T;

  constructor(key: string, fallback: T, allowed?: readonly T[]) {
    this.#key = key;
    const stored = read(key) as T;
    const fits = typeof stored === typeof fallback && (allowed?.includes(stored) ?? true);
    this.#value = fits ? stored : fallback;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    this.#value = value;
    write(this.#key, value);
  }

  /** Sets the value unless the user has set one. */
  setFirst(value: T): void {
    if (read(this.#key) === undefined) this.value = value;
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
export const motion = new Preference<Motion>('motion', 'system', ['system', 'normal', 'fast', 'none']);
export const contrast = new Preference<Contrast>('contrast', 'system', ['system', 'standard', 'high']);
/** Whether pyramids show the mark of their colour. */
export const colourMarks = new Preference<boolean>('marks', true);
/** From 1 to 100. */
export const volume = new Preference<number>('volume', 60);
export const vibration = new Preference<boolean>('vibration', true);
/** Whether the browser notifies the user while the page is hidden. */
export const notices = new Preference<boolean>('notices', false);
/** Whether moves have to be confirmed. */
export const confirmMoves = new Preference<boolean>('confirm', false);
export const chatShown = new Preference<boolean>('talk', true);
/** Whether the move list uses the notation of records. */
export const notation = new Preference<boolean>('notation', false);
/** Whether single keys such as `u` or `[` are shortcuts; users of voice control may want them off. */
export const singleKeys = new Preference<boolean>('keys', true);
/** Whether a board shows learners what players have to notice themselves. */
export const helper = new Preference<boolean>('helper', false);
