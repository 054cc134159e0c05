/** What can be done at a table: its menu, its keys and the list of keys in the help are made of this. */

import { copyText } from '../../app/copy';
import { fetchRecord } from '../../app/http';
import type { IconName } from '../../app/Icon.svelte';
import { exploreFrom, playAgain, startSeries } from '../../app/open-table';
import { chatShown } from '../../app/prefs.svelte';
import type { Session } from '../session/session.svelte';
import { openWith } from '../session/side';
import {
  exploreStart,
  hasSeat,
  isOurs,
  isReviewable,
  mayAnalyse,
  mayOfferDraw,
  mayPause,
  mayResign,
  mayResume,
  undoTarget,
} from '../state/table-state';
import { exploreWords } from '../state/words';

export interface Action {
  label: string;
  /** Undefined: it is not in the menu. */
  icon?: IconName;
  key?: string;
  /** A page to open. */
  href?: string;
  act?: () => void;
}

/** What a dialog shows. */
export type OpenDialog =
  | { kind: 'help' | 'settings' | 'people' | 'chat' | 'remark' | 'review' | 'resign' | 'share' }
  | { kind: 'rules'; rule: string | null };

/** The page of the table. */
export interface Page {
  session: Session;
  /** `none`: there is no other player to chat with. */
  chat: 'none' | 'on' | 'off';
  /** Whether solved values are shown; `none`: there are none. */
  solved: 'none' | 'shown' | 'hidden';
  open: (dialog: OpenDialog) => void;
  openChat: () => void;
  showReview: () => void;
  toggleSolved: () => void;
}

/** The actions that are available now, in the order of the menu. */
export function tableActions({ session, chat, solved, open, openChat, showReview, toggleSolved }: Page): Action[] {
  const { state, view } = session;
  const { table, live } = state;
  if (!table) return [];
  const over = live?.view.over ?? false;
  const [ours, seated, alone] = [isOurs(table), hasSeat(table), table.seats.length === 1];
  const another = over && (ours ? !alone : seated);
  const boardKeys = view?.keys?.flatMap(([names]) => names.split(' ')) ?? [];
  const actions: (Action & { when?: boolean })[] = [
    {
      icon: 'draw',
      label: table.local ? 'End the game in a draw' : 'Offer a draw',
      when: mayOfferDraw(state),
      act: () => session.offer('draw'),
    },
    { icon: 'pause', label: 'Pause', when: mayPause(state), act: () => session.offer('pause') },
    { icon: 'play', label: 'Resume', when: mayResume(state), act: () => session.offer('resume') },
    {
      icon: 'flag',
      label: alone ? 'Give up' : 'Resign',
      when: mayResign(state).length > 0,
      act: () => open({ kind: 'resign' }),
    },
    { icon: 'again', label: 'Rematch', when: another, act: () => startNext(session, true) },
    { icon: 'again', label: 'Same sides again', when: another, act: () => startNext(session, false) },
    {
      icon: 'games',
      label: 'New game, same settings',
      when: ours,
      act: () => void session.attempt(() => startSeries(table)),
    },
    {
      icon: 'chart',
      label: 'Tournament',
      when: Boolean(table.tournament),
      href: `tournament/${table.tournament}`,
    },
    { icon: 'share', label: 'Share this game', when: over, act: () => open({ kind: 'share' }) },
    { key: '[', label: 'Previous move', act: () => session.step(-1) },
    { key: ']', label: 'Next move', act: () => session.step(1) },
    { key: 'u', label: 'Undo; other players are asked first', act: () => undo(session) },
    { key: 'a', label: 'Computer analysis', when: mayAnalyse(state), act: () => session.toggleAnalysis() },
    {
      key: 'v',
      label: 'View from above or from the side',
      when: view?.hasSides ?? false,
      act: () => session.turnLook(),
    },
    {
      key: 'f',
      label: boardKeys.includes('f') ? 'Turn the board (not on the board)' : 'Turn the board',
      when: session.turnable,
      act: () => session.turnBoard(),
    },
    { icon: 'speech', label: 'Describe the position', key: 'd', act: () => session.describe() },
    { icon: 'book', label: 'Rules', key: 'r', act: () => open({ kind: 'rules', rule: null }) },
    { icon: 'lesson', label: 'Tutorial', when: !table.prototype, href: `learn/${table.game}` },
    { icon: 'person', label: 'Seats and links', key: 'i', act: () => open({ kind: 'people' }) },
    { icon: 'help', label: 'Help and shortcuts', key: '?', act: () => open({ kind: 'help' }) },
    { icon: 'settings', label: 'Settings', act: () => open({ kind: 'settings' }) },
    { icon: 'chat', label: 'Chat', key: 'k', when: chat === 'on', act: openChat },
    { icon: 'chat', label: 'Turn chat on', when: chat === 'off', act: () => (chatShown.value = true) },
    {
      icon: 'chat',
      label: 'What felt wrong?',
      when: (table.prototype ?? false) && seated,
      act: () => open({ kind: 'remark' }),
    },
    { icon: 'chart', label: 'Review of the game', when: isReviewable(state), act: showReview },
    {
      icon: 'branch',
      label: exploreWords(state),
      when: exploreStart(state) !== null,
      act: () => explore(session),
    },
    { icon: 'copy', label: 'Copy game record', when: state.lines !== null, act: () => copyRecord(session, table.id) },
    {
      icon: 'solved',
      label: solved === 'shown' ? 'Hide solved values' : 'Solved values',
      when: solved !== 'none',
      act: toggleSolved,
    },
  ];
  return actions.filter(({ when = true }) => when);
}

export function undo(session: Session): void {
  const seq = undoTarget(session.state);
  if (seq !== null) session.undo(seq);
}

/** Opens an analysis board. */
export function explore(session: Session): void {
  const { table } = session.state;
  const seq = exploreStart(session.state);
  if (!table || seq === null) return;
  session.takeHelp();
  openWith(session.side);
  void session.attempt(() => exploreFrom(table, seq));
}

/** Starts the next game of the series; `rotate`: the next seat begins. */
export function startNext(session: Session, rotate: boolean): void {
  const { table } = session.state;
  if (table) void session.attempt(() => playAgain(table, rotate));
}

function copyRecord(session: Session, id: string): void {
  void session.attempt(async () => {
    const record = await fetchRecord(id);
    const copied = await copyText(record);
    session.showNote(copied ? 'Game record copied.' : `This browser can’t copy here. The record: ${record}`);
  });
}
