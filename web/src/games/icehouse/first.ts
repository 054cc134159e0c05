/** Hints for a newcomer's first games, step by step. The browser stores the current step. */

import { helper, Preference } from '../../app/prefs.svelte';
import { kindsOn } from './acts';
import type { FieldPiece, Layout, View } from './wire';

export const STEPS = ['take', 'stand', 'second', 'aim', 'ice', 'call', 'guard'] as const;
export type Step = (typeof STEPS)[number];

/** The current step; "done": all are done, or the player wants no hints. */
export const next = new Preference<Step | 'done'>('icehouse.next', 'take', [...STEPS, 'done']);
/** Turns the helper on in first games, before the first step also for a player who has turned it off in another game. */
export function turnHelpOn(): void {
  if (next.value === STEPS[0]) helper.value = true;
  else if (next.value !== 'done') helper.setFirst(true);
}

export interface Progress {
  layout: Layout;
  view: View;
  seat: number;
  holding: boolean;
  /** Whether the player has called icehouse. */
  called: boolean;
}

/** The first step that is not done yet: a player may do several at a time. */
export function stepAfter(step: Step | 'done', progress: Progress): Step | 'done' {
  const left = step === 'done' ? [] : STEPS.slice(STEPS.indexOf(step));
  return left.find((next) => !isDone(next, progress)) ?? 'done';
}

/** The step to show now: to stand or aim a piece, a player first has to take one. Null: none is possible. */
export function fitting(step: Step, { view, seat, holding }: Progress): Step | null {
  if (isRead(step) || holding) return step;
  if (kindsOn(view.pads[seat] ?? {}).length === 0) return null;
  return step === 'stand' ? 'take' : step;
}

/** Whether a step is something to know, which is done when it has been read. */
export function isRead(step: Step): boolean {
  return step === 'call' || step === 'guard';
}

function isDone(step: Step, { layout, view, seat, holding, called }: Progress): boolean {
  const own = view.field.filter(({ colour }) => colour === layout.colours[seat]);
  const standing = own.filter((piece) => piece.standing).length;
  const attackers = own.filter(({ valid }) => valid);
  switch (step) {
    case 'take':
      return holding || own.length > 0;
    case 'stand':
      return standing > 0;
    case 'second':
      return standing > 1;
    case 'aim':
      return attackers.length > 0;
    case 'ice':
      return attackers.some((piece) => isIced(piece.points_at, view.field));
    case 'call':
      return called;
    case 'guard':
      return false;
  }
}

function isIced(id: string | null, field: readonly FieldPiece[]): boolean {
  return field.some((piece) => piece.id === id && piece.iced);
}

/** The hint for a step, for touch or for mouse and keys. */
export function stepWords(step: Step, touch: boolean, { safe }: Layout): string {
  switch (step) {
    case 'take':
      return touch ? 'Take a piece: tap one on your pad.' : 'Take a piece: click one on your pad, or press 1, 2 or 3.';
    case 'stand':
      return touch
        ? 'Tap the field where you want it, then “Let go”.'
        : 'Click the field where you want it, or press N and Enter.';
    case 'second':
      return 'Stand a second piece: only then may you attack.';
    case 'aim':
      return touch
        ? 'Attack: take a piece, tap an opponent’s standing piece to aim at it, then “Let go”.'
        : 'Attack: take a piece, click an opponent’s standing piece to aim at it, then click it once more to let go.';
    case 'ice':
      return `Ice that piece: attack it with more pips than it has.${touch ? ' Two fingers turn a piece.' : ''}`;
    case 'call':
      return `An opponent with ${safe - 1} pieces or fewer left to play, and none that stands free? Call “Icehouse!”`;
    case 'guard':
      return `Beware of that call yourself: before you have ${safe - 1} pieces left to play, make sure that one stands free.`;
  }
}
