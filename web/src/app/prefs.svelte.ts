/** The user's preferences, kept by the browser. */

import { read, write } from './storage';

export class Preference<T extends string | boolean> {
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

export const theme = new Preference<Theme>('theme', 'system', ['system', 'light', 'dark']);
export const playerName = new Preference<string>('name', '');
export const levelName = new Preference<string>('level', '');
/** Whether the chat is shown. */
export const chatShown = new Preference<boolean>('talk', true);
/** Whether single keys such as `u` or `[` are shortcuts; users of voice control may want them off. */
export const singleKeys = new Preference<boolean>('keys', true);
/** Whether a board shows learners what players have to notice themselves. */
export const helper = new Preference<boolean>('helper', false);
