/** Calls of icehouse: whom one would catch, what a false one costs, and whether a tap was meant. */

import { counted } from '../../app/words';
import { leftToPlay, seatOf } from './acts';
import type { Layout, View } from './wire';

/** The other players whom a call would put in the icehouse, as the table lies (IH-18, IH-21). */
export function caught({ colours, safe }: Layout, view: View, caller: number): number[] {
  const free = view.field.filter(({ standing, iced }) => standing && !iced);
  const safeSeats = new Set([caller, ...view.in_icehouse, ...free.map(({ colour }) => seatOf({ colours }, colour))]);
  return [...colours.keys()].filter((seat) => !safeSeats.has(seat) && leftToPlay(view, seat) < safe);
}

/** What a false call costs a player with so many pieces left to play (IH-20). */
export function costWords({ false_call, call_pause }: Readonly<Record<string, unknown>>, pieces: number): string {
  if (false_call === 'gift' && pieces > 0) return 'a false call costs a piece';
  return `after a false call, wait ${counted(Number(call_pause), 'second')}`;
}

/** A tap so soon after another touch elsewhere is no decision. */
const PATH_MS = 150;

/** Tells a tap on a button from a slip of the thumb that plays beside it. */
export class Slips {
  /** The touches elsewhere that are still down. */
  #down = new Set<number>();
  #last = -Infinity;
  #pressed = true;

  /** Notes that a touch begins or ends elsewhere. */
  touch(pointer: number, isDown: boolean, now: number): void {
    if (isDown) this.#down.add(pointer);
    else this.#down.delete(pointer);
    this.#last = now;
  }

  /** Notes that a touch begins on the button. */
  press(now: number): void {
    this.#pressed = this.#down.size === 0 && now - this.#last >= PATH_MS;
  }

  /** Whether the last touch on the button was meant. */
  get isMeant(): boolean {
    return this.#pressed;
  }
}
