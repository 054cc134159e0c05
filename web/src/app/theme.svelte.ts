/** Dark or light: the system's choice until the user makes another. */

import { MediaQuery } from 'svelte/reactivity';
import { theme } from './prefs.svelte';

const systemDark = new MediaQuery('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  return theme.value === 'system' ? systemDark.current : theme.value === 'dark';
}

/** The picture of a game’s board in the lobby; prototypes have none of their own. */
export function artOf(game: string, isPrototype: boolean): string {
  return isPrototype ? `api/games/${game}/picture.svg` : `boards/${game}-${isDark() ? 'dark' : 'light'}.webp`;
}

/** Choosing the theme of the system means following the system again. */
export function toggleTheme(): void {
  const dark = !isDark();
  theme.value = dark === systemDark.current ? 'system' : dark ? 'dark' : 'light';
}
