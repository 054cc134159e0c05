/** From where this browser's user looks at boards. */

import { Preference } from '../app/prefs.svelte';
import type { Look } from '../pieces/projection';

export const look = new Preference<Look>('look', 'iso', ['iso', 'top']);

export function turnLook(): void {
  look.value = look.value === 'iso' ? 'top' : 'iso';
}
