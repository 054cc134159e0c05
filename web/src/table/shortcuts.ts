/** Keyboard shortcuts of a page with a board. */

import { keyName } from '../app/keys';
import { singleKeys } from '../app/prefs.svelte';

/** Actions by the browser's names of keys. */
export type Shortcuts = Record<string, () => void>;

/** Handles a key press; `single` are shortcuts of one character, which the user can turn off. */
export function runShortcut(event: KeyboardEvent, named: Shortcuts, single: Shortcuts): void {
  if (event.defaultPrevented || isChord(event) || isTyping(event) || isScrolling(event)) return;
  if (event.key === 'Escape' && document.querySelector(':popover-open')) return; // it closes the popover
  const act = named[event.key] ?? (singleKeys.value ? single[keyName(event)] : undefined);
  if (!act) return;
  event.preventDefault();
  act();
}

/** Many keyboards type brackets with AltGr or Option: that is no chord. */
function isChord(event: KeyboardEvent): boolean {
  if (event.metaKey) return true;
  return event.altKey ? /^\w/.test(event.key) : event.ctrlKey;
}

/** Arrow keys scroll elements that are wider than their box. */
function isScrolling({ key, target }: KeyboardEvent): boolean {
  return key.startsWith('Arrow') && target instanceof Element && target.scrollWidth > target.clientWidth;
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), select, textarea, [popover], dialog') !== null
  );
}
