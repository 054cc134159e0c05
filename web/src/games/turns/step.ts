/** What the player to act does next, in a sentence: the game's own words first, then what can be chosen. */

import { capital } from '../../board/words';
import type { Act } from './acts';
import { kindOf, stackOf } from './pieces';
import type { Layout, View } from './wire';

/** What can be chosen now, and what is chosen. */
export interface Choices {
  layout: Layout;
  view: View;
  /** The legal acts left. */
  acts: readonly Act[];
  /** The spaces that can be chosen next. */
  next: ReadonlySet<string>;
  /** The labels of the buttons. */
  buttons: readonly string[];
  /** The kinds of pieces that can be taken, and where they lie. */
  pads: readonly { kind: string; where: 'supply' | 'pad' | 'bank' }[];
  /** The player has chosen something. */
  chosen: boolean;
  /** The kind of the piece in hand, which may be there without being chosen; empty: none. */
  held: string;
}

/** "Take a pyramid from your supply, then choose a marked space." Empty if nothing can be chosen. */
export function stepWords(choices: Choices): string {
  const { chosen, held, pads, layout } = choices;
  if (chosen || (held && layout.repeats)) return nextWords(choices, !chosen && pads.length > 1);
  return pads.length > 0 && held === '' ? takeWords(choices) : chooseWords(choices);
}

function nextWords({ layout, view, next, buttons, held }: Choices, others: boolean): string {
  if (next.size === 0) return pressWords(buttons);
  const kinds = [...next].map((name) => stackOf(view, name, layout.kinds).at(-1)?.kind);
  const pieces = kinds.filter((kind) => kind !== undefined);
  const nouns = [
    ...(held || pieces.length < kinds.length ? [spaceNoun(layout)] : []),
    ...(!held && pieces.length > 0 ? [pieceNoun(layout, pieces)] : []),
  ];
  const button = buttonWords(buttons);
  const piece = held && ` for the ${kindOf(held, layout.kinds).kind?.name ?? held}`;
  const other = others ? ', or take another' : '';
  const words = `${others ? '' : 'now '}choose a marked ${nouns.join(' or ')}${piece}${other}${orButton(button)}.`;
  const lands = kinds.some((kind) => kind !== undefined) ? (layout.lands ?? '') : '';
  const wins = [...next].some((name) => view.goals?.includes(name)) ? 'The golden one wins.' : '';
  return [capital(words), lands, wins].filter(Boolean).join(' ');
}

function takeWords({ layout, view, acts, next, buttons, pads }: Choices): string {
  const from = { supply: 'from your supply', pad: 'from your pad', bank: 'from beside the board' }[pads[0]!.where];
  const piece = pieceNoun(
    layout,
    pads.map(({ kind }) => kind),
  );
  const space = spaceNoun(layout);
  const moves = next.size > 0 && acts.some(({ spaces }) => spaces.length > 1);
  const board = !moves ? '' : isTaken(view, next) ? ' or choose a marked one' : ` or choose a marked ${space}`;
  const then = moves ? `, then a marked ${space}` : `, then choose a marked ${space}`;
  return `Take a ${piece} ${from}${board}${then}${orButton(buttonWords(buttons))}.`;
}

function chooseWords({ layout, view, acts, next, buttons }: Choices): string {
  if (next.size === 0) return pressWords(buttons);
  const button = buttonWords(buttons);
  const space = spaceNoun(layout);
  if (!isTaken(view, next)) return `Choose a marked ${space}${orButton(button)}.`;
  const piece = pieceNoun(
    layout,
    [...next].map((name) => stackOf(view, name, layout.kinds).at(-1)!.kind),
  );
  const then = acts.some(({ spaces }) => spaces.length > 1) ? `, then a marked ${space}` : '';
  return `Choose a marked ${piece}${then}${orButton(button)}.`;
}

function pressWords(buttons: readonly string[]): string {
  if (buttons.length === 0) return '';
  return buttons.length === 1 ? `Press “${buttons[0]}”.` : 'Choose one of the buttons below the board.';
}

function buttonWords([only, ...others]: readonly string[]): string {
  if (only === undefined) return '';
  return others.length === 0 ? `press “${only}”` : 'a button below the board';
}

function orButton(button: string): string {
  return button && `, or ${button}`;
}

/** Whether there is a piece on each of these spaces. */
function isTaken({ stacks }: View, spaces: ReadonlySet<string>): boolean {
  return [...spaces].every((name) => stacks[name]?.length);
}

export function spaceNoun({ shape }: Layout): string {
  return shape === 'square' ? 'square' : 'space';
}

/** "pyramid", or "piece" if some are none. */
export function pieceNoun({ kinds }: Layout, those: readonly string[]): string {
  return those.every((kind) => kindOf(kind, kinds).kind?.size) ? 'pyramid' : 'piece';
}
