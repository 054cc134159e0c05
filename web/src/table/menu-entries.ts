/** The menu of a table: what can be done there now. */

import type { IconName } from '../app/Icon.svelte';
import type { Offer } from '../wire';
import { hasSeat, isOurs, mayOfferDraw, mayPause, mayResume, exploreStart, type TableState } from './table-state';
import { exploreWords } from './words';

export interface Entry {
  icon: IconName;
  label: string;
  key?: string;
  act: () => void;
}

/** What the page does for its entries. */
export interface MenuActions {
  offer: (what: Offer['what']) => void;
  /** The next game of the series; the next seat begins. */
  playAgain: () => void;
  playAnew: () => void;
  describe: () => void;
  showRules: () => void;
  showTutorial: () => void;
  showPeople: () => void;
  showHelp: () => void;
  openChat: () => void;
  turnChatOn: () => void;
  explore: () => void;
  copyRecord: () => void;
  toggleSolved: () => void;
}

export interface MenuChoices {
  /** `none`: there is no other player to chat with. */
  chat: 'none' | 'on' | 'off';
  /** Whether solved values are shown; `none`: there are none. */
  solved: 'none' | 'shown' | 'hidden';
}

export function menuEntries(state: TableState, choices: MenuChoices, actions: MenuActions): Entry[] {
  return [
    ...offers(state, actions),
    ...furtherGames(state, actions),
    { icon: 'speech', label: 'Describe the position', key: 'd', act: actions.describe },
    { icon: 'book', label: 'Rules', key: 'r', act: actions.showRules },
    { icon: 'lesson', label: 'Tutorial', act: actions.showTutorial },
    { icon: 'person', label: 'Seats and links', key: 'i', act: actions.showPeople },
    { icon: 'help', label: 'Help and shortcuts', key: '?', act: actions.showHelp },
    ...chat(choices, actions),
    ...exploring(state, actions),
    ...(state.lines ? [{ icon: 'copy', label: 'Copy game record', act: actions.copyRecord } as const] : []),
    ...solved(choices, actions),
  ];
}

function offers(state: TableState, { offer }: MenuActions): Entry[] {
  const entries: Entry[] = [];
  if (mayOfferDraw(state)) {
    const label = state.table?.local ? 'End the game in a draw' : 'Offer a draw';
    entries.push({ icon: 'draw', label, act: () => offer('draw') });
  }
  if (mayPause(state)) entries.push({ icon: 'pause', label: 'Pause', act: () => offer('pause') });
  if (mayResume(state)) entries.push({ icon: 'play', label: 'Resume', act: () => offer('resume') });
  return entries;
}

function furtherGames({ table, live }: TableState, { playAgain, playAnew }: MenuActions): Entry[] {
  if (!table) return [];
  const over = live?.view.over ?? false;
  const rotated: Entry = { icon: 'again', label: 'Play again, next seat starts', act: playAgain };
  const anew: Entry = { icon: 'again', label: 'New game, same setup', act: playAnew };
  if (!isOurs(table)) return over && hasSeat(table) ? [rotated] : [];
  return over && table.seats.length > 1 ? [rotated, anew] : [anew];
}

function chat(choices: MenuChoices, { openChat, turnChatOn }: MenuActions): Entry[] {
  if (choices.chat === 'on') return [{ icon: 'chat', label: 'Chat', key: 'k', act: openChat }];
  return choices.chat === 'off' ? [{ icon: 'chat', label: 'Turn chat on', act: turnChatOn }] : [];
}

function exploring(state: TableState, { explore }: MenuActions): Entry[] {
  return exploreStart(state) === null ? [] : [{ icon: 'branch', label: exploreWords(state), act: explore }];
}

function solved(choices: MenuChoices, { toggleSolved }: MenuActions): Entry[] {
  if (choices.solved === 'none') return [];
  const label = choices.solved === 'shown' ? 'Hide solved values' : 'Solved values';
  return [{ icon: 'solved', label, act: toggleSolved }];
}
