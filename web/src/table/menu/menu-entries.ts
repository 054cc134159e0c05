/** The menu of a table: the actions that are available now. */

import type { IconName } from '../../app/Icon.svelte';
import type { Offer } from '../../wire';
import {
  exploreStart,
  hasSeat,
  isOurs,
  isReviewable,
  mayOfferDraw,
  mayPause,
  mayResign,
  mayResume,
  type TableState,
} from '../state/table-state';
import { exploreWords } from '../state/words';

export interface Entry {
  icon: IconName;
  label: string;
  key?: string;
  act: () => void;
}

/** The page's actions for the entries. */
export interface MenuActions {
  offer: (what: Offer['what']) => void;
  resign: () => void;
  /** The next game of the series; the next seat begins. */
  rematch: () => void;
  /** The next game of the series; the same seat begins. */
  playAgain: () => void;
  startSeries: () => void;
  share: () => void;
  describe: () => void;
  showRules: () => void;
  showTutorial: () => void;
  showPeople: () => void;
  showHelp: () => void;
  showSettings: () => void;
  openChat: () => void;
  remark: () => void;
  turnChatOn: () => void;
  showReview: () => void;
  explore: () => void;
  copyRecord: () => void;
  toggleSolved: () => void;
  showTournament: () => void;
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
    ...(state.table?.tournament ? [{ icon: 'chart', label: 'Tournament', act: actions.showTournament } as const] : []),
    ...(isOver(state) ? [{ icon: 'share', label: 'Share this game', act: actions.share } as const] : []),
    { icon: 'speech', label: 'Describe the position', key: 'd', act: actions.describe },
    { icon: 'book', label: 'Rules', key: 'r', act: actions.showRules },
    ...(state.table?.prototype ? [] : [{ icon: 'lesson', label: 'Tutorial', act: actions.showTutorial } as const]),
    { icon: 'person', label: 'Seats and links', key: 'i', act: actions.showPeople },
    { icon: 'help', label: 'Help and shortcuts', key: '?', act: actions.showHelp },
    { icon: 'settings', label: 'Settings', act: actions.showSettings },
    ...chat(choices, actions),
    ...remarks(state, actions),
    ...reviewing(state, actions),
    ...exploring(state, actions),
    ...(state.lines ? [{ icon: 'copy', label: 'Copy game record', act: actions.copyRecord } as const] : []),
    ...solved(choices, actions),
  ];
}

function offers(state: TableState, { offer, resign }: MenuActions): Entry[] {
  const entries: Entry[] = [];
  if (mayOfferDraw(state)) {
    const label = state.table?.local ? 'End the game in a draw' : 'Offer a draw';
    entries.push({ icon: 'draw', label, act: () => offer('draw') });
  }
  if (mayPause(state)) entries.push({ icon: 'pause', label: 'Pause', act: () => offer('pause') });
  if (mayResume(state)) entries.push({ icon: 'play', label: 'Resume', act: () => offer('resume') });
  if (mayResign(state).length > 0) {
    entries.push({ icon: 'flag', label: state.table?.seats.length === 1 ? 'Give up' : 'Resign', act: resign });
  }
  return entries;
}

function isOver({ live }: TableState): boolean {
  return live?.view.over ?? false;
}

function furtherGames(state: TableState, { rematch, playAgain, startSeries }: MenuActions): Entry[] {
  const { table } = state;
  if (!table) return [];
  const over = isOver(state);
  const series: Entry[] = [
    { icon: 'again', label: 'Rematch', act: rematch },
    { icon: 'again', label: 'Same sides again', act: playAgain },
  ];
  const fresh: Entry = { icon: 'again', label: 'New game, same settings', act: startSeries };
  if (!isOurs(table)) return over && hasSeat(table) ? series : [];
  return over && table.seats.length > 1 ? [...series, fresh] : [fresh];
}

function chat(choices: MenuChoices, { openChat, turnChatOn }: MenuActions): Entry[] {
  if (choices.chat === 'on') return [{ icon: 'chat', label: 'Chat', key: 'k', act: openChat }];
  return choices.chat === 'off' ? [{ icon: 'chat', label: 'Turn chat on', act: turnChatOn }] : [];
}

function remarks(state: TableState, { remark }: MenuActions): Entry[] {
  if (!state.table?.prototype || !hasSeat(state.table)) return [];
  return [{ icon: 'chat', label: 'What felt wrong?', act: remark }];
}

function reviewing(state: TableState, { showReview }: MenuActions): Entry[] {
  return isReviewable(state) ? [{ icon: 'chart', label: 'Review of the game', act: showReview }] : [];
}

function exploring(state: TableState, { explore }: MenuActions): Entry[] {
  return exploreStart(state) === null ? [] : [{ icon: 'branch', label: exploreWords(state), act: explore }];
}

function solved(choices: MenuChoices, { toggleSolved }: MenuActions): Entry[] {
  if (choices.solved === 'none') return [];
  const label = choices.solved === 'shown' ? 'Hide solved values' : 'Solved values';
  return [{ icon: 'solved', label, act: toggleSolved }];
}
