/** From where this browser's user looks at boards. */

import { Preference } from '../app/prefs.svelte';
import type { Look } from '../pieces/projection';

/** On a small screen, spaces seen from above are larger. */
const SMALL = '(width < 44rem) or (height < 30rem)';

export const look = new Preference<Look>('look', matchMedia(SMALL).matches ? 'top' : 'iso', ['iso', 'top']);

export function turnLook(): void {
  look.value = look.value === 'iso' ? 'top' : 'iso';
}

/** By how many steps the user of this tab has turned a table's board. */
export class Turns {
  #key: string;
  #count = $state(0);

  constructor(table: string) {
    this.#key = `icetable.turns.${table}`;
    try {
      this.#count = Number(sessionStorage.getItem(this.#key)) || 0;
    } catch {
      // nothing can be kept: the board begins as its seat sees it
    }
  }

  get count(): number {
    return this.#count;
  }

  add(): void {
    this.#count += 1;
    try {
      sessionStorage.setItem(this.#key, String(this.#count));
    } catch {
      // it lasts until the page is left
    }
  }
}
