/** The view of boards in this browser. */

import { Preference } from '../app/prefs.svelte';
import type { Look } from '../pieces/projection';

/** Small screens show boards from above, where spaces are larger. */
const SMALL_SCREEN = '(width < 44rem) or (height < 30rem)';

export const look = new Preference<Look>('look', matchMedia(SMALL_SCREEN).matches ? 'top' : 'iso', ['iso', 'top']);

export function turnLook(): void {
  look.value = look.value === 'iso' ? 'top' : 'iso';
}

/** The number of steps by which the user has turned a table's board, stored for this tab. */
export class Turns {
  #key: string;
  #count = $state(0);

  constructor(table: string) {
    this.#key = `icetable.turns.${table}`;
    try {
      this.#count = Number(sessionStorage.getItem(this.#key)) || 0;
    } catch {
      // storage is blocked: the board starts as its seat sees it
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
      // it lasts until the page is closed
    }
  }
}
