/** A newcomer's first games: what to do next, one thing after the other. The browser keeps how far they have come. */

import { helper, Preference } from '../../app/prefs.svelte';
import { read } from '../../app/storage';
import { kindsOn } from './acts';
import type { FieldPiece, Layout, View } from './wire';

export const STEPS = ['take', 'stand', 'second', 'aim', 'ice', 'call'] as const;
export type Step = (typeof STEPS)[number];

/** The next thing to do; "done": nothing any more, or no help is wanted. */
export const next = new Preference<Step | 'done'>('icehouse.next', 'take', [...STEPS, 'done']);
/** Lights the helper lamp in first games, unless the player has chosen already. It burns until it is put out by hand. */
export function lightLamp(): void {
  if (next.value !== 'done' && read('helper') === undefined) helper.value = true;
}

/** What a player has done by now. */
export interface Deeds {
  layout: Layout;
  view: View;
  seat: number;
  holding: boolean;
  /** The player has called icehouse. */
  called: boolean;
}

/** The step that is to be done next: a player may do several at once. */
export function stepAfter(step: Step | 'done', deeds: Deeds): Step | 'done' {
  const left = step === 'done' ? [] : STEPS.slice(STEPS.indexOf(step));
  return left.find((one) => !isDone(one, deeds)) ?? 'done';
}

/** What can be done of a step now: to stand or aim a piece takes one. Null: nothing. */
export function fitting(step: Step, { view, seat, holding }: Deeds): Step | null {
  if (step === 'call' || holding) return step;
  if (kindsOn(view.pads[seat] ?? {}).length === 0) return null;
  return step === 'stand' ? 'take' : step;
}

function isDone(step: Step, { layout, view, seat, holding, called }: Deeds): boolean {
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
  }
}

function isIced(id: string | null, field: readonly FieldPiece[]): boolean {
  return field.some((piece) => piece.id === id && piece.iced);
}

/** What to do, for a finger or for mouse and keys. */
export function stepWords(step: Step, byFinger: boolean): string {
  switch (step) {
    case 'take':
      return byFinger
        ? 'Take a piece: tap one on your pad.'
        : 'Take a piece: click one on your pad, or press 1, 2 or 3.';
    case 'stand':
      return byFinger
        ? 'Tap the field where it is to stand, then “Let go”.'
        : 'Click the field where it is to stand, or press N and Enter.';
    case 'second':
      return 'Stand a second piece: only then may you attack.';
    case 'aim':
      return byFinger
        ? 'Attack: take a piece, tap an opponent’s standing piece to aim at it, then “Let go”.'
        : 'Attack: take a piece, click an opponent’s standing piece to aim at it, then click again.';
    case 'ice':
      return `Ice that piece: attack it with more pips than it has.${byFinger ? ' Two fingers turn a piece.' : ''}`;
    case 'call':
      return 'An opponent with no free standing piece and fewer than 8 on the pad? Call “Icehouse!”';
  }
}
