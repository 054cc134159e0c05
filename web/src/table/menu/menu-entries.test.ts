import { describe, expect, it, vi } from 'vitest';
import type { TableInfo, View } from '../../wire';
import { menuEntries, type MenuActions, type MenuChoices } from './menu-entries';
import { INITIAL_STATE, type TableState } from '../state/table-state';

const SEAT = { kind: 'person', level: null, mine: true, gone: false } as const;
const ANN = { ...SEAT, seat: 0, name: 'Ann', colour: 'red' };
const BEN = { ...SEAT, seat: 1, name: 'Ben', colour: 'blue' };

const ACTIONS = new Proxy({} as MenuActions, { get: () => vi.fn() });
const CHOICES: MenuChoices = { chat: 'none', solved: 'none' };

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

function labels(of: TableState, choices: Partial<MenuChoices> = {}): string[] {
  return menuEntries(of, { ...CHOICES, ...choices }, ACTIONS).map(({ label }) => label);
}

describe('the menu', () => {
  it('offers a draw to people, and decides it at one screen', () => {
    expect(labels(state({}))).toContain('End the game in a draw');
    expect(labels(state({ local: false }))).toContain('Offer a draw');
    expect(labels(state({ seats: [ANN, { ...BEN, kind: 'bot' }] }))).not.toContain('Offer a draw');
  });

  it('asks players of a prototype what felt wrong', () => {
    expect(labels(state({ prototype: true }))).toContain('What felt wrong?');
    expect(labels(state({ prototype: true }))).not.toContain('Tutorial');
    expect(labels(state({}))).not.toContain('What felt wrong?');
    expect(labels(state({ prototype: true, seats: [{ ...ANN, mine: false }] }))).not.toContain('What felt wrong?');
  });

  it('lets players resign, and a single player give up, until the game is over', () => {
    expect(labels(state({}))).toContain('Resign');
    expect(labels(state({ seats: [ANN, { ...BEN, kind: 'bot', mine: false }] }))).toContain('Resign');
    expect(labels(state({ seats: [ANN] }))).toContain('Give up');
    expect(labels(state({}, { over: true }))).not.toContain('Resign');
    expect(labels(state({ started: false }))).not.toContain('Resign');
    expect(
      labels(
        state({
          seats: [
            { ...ANN, mine: false },
            { ...BEN, mine: false },
          ],
        }),
      ),
    ).not.toContain('Resign');
  });

  it('pauses and resumes if there is a clock', () => {
    const clock = { per: 'game', seconds: 300, increment: 0 } as const;
    expect(labels(state({}))).not.toContain('Pause');
    expect(labels(state({ clock }))).toContain('Pause');
    expect(labels(state({ clock, paused: true }))).toContain('Resume');
  });

  it('starts another game: any time if all seats are ours, otherwise after the end', () => {
    const others = { seats: [ANN, { ...BEN, mine: false }] };
    expect(labels(state({}))).toContain('New game, same settings');
    expect(labels(state({}))).not.toContain('Rematch');
    expect(labels(state({}, { over: true }))).toEqual(expect.arrayContaining(['Rematch', 'Same sides again']));
    expect(labels(state(others))).not.toContain('New game, same settings');
    expect(labels(state(others, { over: true }))).toEqual(expect.arrayContaining(['Rematch', 'Same sides again']));
  });

  it('shares a game that is over', () => {
    expect(labels(state({}))).not.toContain('Share this game');
    expect(labels(state({}, { over: true }))).toContain('Share this game');
  });

  it('opens the chat or turns it on, if there is company', () => {
    expect(labels(state({})).filter((label) => /chat/i.test(label))).toEqual([]);
    expect(labels(state({}), { chat: 'on' })).toContain('Chat');
    expect(labels(state({}), { chat: 'off' })).toContain('Turn chat on');
  });

  it('hides the record while the game hides its moves', () => {
    expect(labels(state({}))).toContain('Copy game record');
    expect(labels({ ...state({}), lines: null })).not.toContain('Copy game record');
  });

  it('shows and hides solved values', () => {
    expect(labels(state({}))).not.toContain('Solved values');
    expect(labels(state({}), { solved: 'hidden' })).toContain('Solved values');
    expect(labels(state({}), { solved: 'shown' })).toContain('Hide solved values');
  });
});
