import { expect, it, vi } from 'vitest';
import type { TableInfo, View } from '../../wire';
import type { Session } from '../session/session.svelte';
import { INITIAL_STATE, type TableState } from '../state/table-state';
import { tableActions, type Page } from './actions';

vi.mock('../../app/open-table', () => ({}));

const SEAT = { kind: 'person', level: null, mine: true, gone: false } as const;
const ANN = { ...SEAT, seat: 0, name: 'Ann', colour: 'red' };
const BEN = { ...SEAT, seat: 1, name: 'Ben', colour: 'blue' };

function state(table: Partial<TableInfo>, view: Partial<View> = {}): TableState {
  const info = {
    seats: [ANN, BEN],
    local: true,
    started: true,
    turns: true,
    layout: {},
    paused: false,
    clock: null,
    proposal: null,
  };
  return {
    ...INITIAL_STATE,
    table: { ...info, ...table } as TableInfo,
    live: { seq: 2, view: { over: false, to_act: [0], ...view } } as TableState['live'],
  };
}

function labels(of: TableState, page: Partial<Page> = {}): string[] {
  const session = { state: of, turnable: false } as Session;
  const handlers = { open: vi.fn(), openChat: vi.fn(), showReview: vi.fn(), toggleSolved: vi.fn() };
  return tableActions({ session, chat: 'none', solved: 'none', ...handlers, ...page }).map(({ label }) => label);
}

const OVER = { over: true };
const CLOCK = { per: 'game', seconds: 300, increment: 0 } as const;
const NOT_OURS = { ...BEN, mine: false };
const BOT = { ...NOT_OURS, kind: 'bot' } as const;
const WATCHED = [{ ...ANN, mine: false }, NOT_OURS];

it.each<[why: string, state: TableState, there: string[], missing: string[], page?: Partial<Page>]>([
  ['a draw is decided at one screen', state({}), ['End the game in a draw'], []],
  ['people are offered a draw', state({ local: false }), ['Offer a draw'], []],
  ['bots are not', state({ seats: [ANN, BOT] }), ['Resign'], ['Offer a draw']],
  ['a prototype has remarks and no tutorial', state({ prototype: true }), ['What felt wrong?'], ['Tutorial']],
  ['another game has no remarks', state({}), ['Tutorial'], ['What felt wrong?']],
  ['watchers have no remarks', state({ prototype: true, seats: WATCHED }), [], ['What felt wrong?']],
  ['a player may resign', state({}), ['Resign'], ['Rematch', 'Share this game', 'Pause']],
  ['a single player gives up', state({ seats: [ANN] }), ['Give up'], ['Resign']],
  ['no one resigns before the start', state({ started: false }), [], ['Resign']],
  ['watchers don’t resign', state({ seats: WATCHED }), [], ['Resign']],
  ['a game that is over', state({}, OVER), ['Rematch', 'Same sides again', 'Share this game'], ['Resign']],
  ['a clock can be paused', state({ clock: CLOCK }), ['Pause'], ['Resume']],
  ['a paused clock goes on', state({ clock: CLOCK, paused: true }), ['Resume'], ['Pause']],
  ['our table starts anew any time', state({}), ['New game, same settings'], []],
  ['others’ not', state({ seats: [ANN, NOT_OURS] }), [], ['New game, same settings', 'Rematch']],
  ['others’ after the end', state({ seats: [ANN, NOT_OURS] }, OVER), ['Rematch', 'Same sides again'], []],
  ['nobody to chat with', state({}), [], ['Chat', 'Turn chat on']],
  ['the chat is on', state({}), ['Chat'], ['Turn chat on'], { chat: 'on' }],
  ['the chat is off', state({}), ['Turn chat on'], ['Chat'], { chat: 'off' }],
  ['a record', state({}), ['Copy game record'], []],
  ['hidden moves', { ...state({}), lines: null }, [], ['Copy game record']],
  ['no solved values', state({}), [], ['Solved values', 'Hide solved values']],
  ['hidden values', state({}), ['Solved values'], [], { solved: 'hidden' }],
  ['shown values', state({}), ['Hide solved values'], [], { solved: 'shown' }],
])('%s', (_, of, there, missing, page) => {
  const found = labels(of, page);
  expect(found).toEqual(expect.arrayContaining(there));
  for (const label of missing) expect(found).not.toContain(label);
});
