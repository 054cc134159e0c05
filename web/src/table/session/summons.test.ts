import { describe, expect, it } from 'vitest';
import { people, VIEW } from '../../app/fixtures';
import type { ChatMessage, Frame, Proposal, ServerMessage, TableInfo } from '../../wire';
import { TABLE } from '../state/fixtures';
import { isTurn, resultSound, summons, type Summons } from './summons';
import { INITIAL_STATE, reduce, type TableState } from '../state/table-state';

const SOUNDS = { starts: 'turn', rings: 'bell', places: 'land-S' } as const;

const SEATS = people('Me', 'Ann');

function frame(seq: number, toAct: number[], over = false, effect?: string): Frame {
  const effects = effect ? [{ kind: effect, spaces: [], value: null }] : [];
  const view = { ...VIEW, to_act: toAct, over, winners: over ? [1] : [], scores: [0, 1] };
  return { seq, line: { seq, seat: 1, text: 'x', effects }, view, legal: {} };
}

function state(toAct: number[], table: Partial<TableInfo> = {}): TableState {
  const info = { ...TABLE, title: 'High Rise', local: false, seats: SEATS, ...table };
  return { ...INITIAL_STATE, table: info, live: frame(3, toAct) };
}

function called(before: TableState, message: ServerMessage, muted: string[] = []): Summons | null {
  return summons(before, reduce(before, message), message, SOUNDS, { after: 0, muted });
}

function changed(before: TableState, table: Partial<TableInfo>): ServerMessage {
  return { type: 'changed', table: { ...before.table!, ...table }, frame: before.live! };
}

describe('what calls a player', () => {
  it('is their turn, once', () => {
    const before = state([1]);
    expect(called(before, { type: 'frame', frame: frame(4, [0]) })).toEqual({
      what: 'turn',
      title: 'Your turn – High Rise against Ann',
    });
    expect(called(state([0]), { type: 'frame', frame: frame(4, [0]) })).toBeNull();
    expect(called(before, { type: 'frame', frame: frame(4, [1]) })).toBeNull();
  });

  it('is nothing if all players are at one screen, or for spectators', () => {
    const message = { type: 'frame', frame: frame(4, [0]) } as const;
    expect(called(state([1], { seats: SEATS.map((seat) => ({ ...seat, mine: true })) }), message)).toBeNull();
    expect(called(state([1], { seats: SEATS.map((seat) => ({ ...seat, mine: false })) }), message)).toBeNull();
    expect(isTurn(state([0], { paused: true }))).toBe(false);
  });

  it('is only the start and the bell without turns', () => {
    const before = state([0, 1], { turns: false, title: 'Icehouse' });
    const what = (effect: string) => called(before, { type: 'frame', frame: frame(4, [0, 1], false, effect) })?.what;
    expect(['starts', 'rings', 'places'].map(what)).toEqual(['start', 'bell', undefined]);
  });

  it('is the next round of a tournament, if they play in it', () => {
    const round = { type: 'round', name: 'Cup', number: 2, length: 3, unfinished: 1, bye: false, place: null } as const;
    expect(called(state([]), { ...round, table: 't', against: ['Cem'] })).toEqual({
      what: 'next',
      title: 'Round 2 of 3 has begun: you play Cem – Cup',
    });
    expect(called(state([]), { ...round, table: null, against: [] })).toBeNull();
  });

  it('is a proposal that they have to answer', () => {
    const before = state([1]);
    const proposal: Proposal = { number: 2, by: 1, what: 'draw', target: 0, waiting: [0] };
    expect(called(before, changed(before, { proposal }))).toMatchObject({ what: 'offer' });
    expect(called(before, changed(before, { proposal: { ...proposal, by: 0, waiting: [1] } }))).toBeNull();
  });

  it('is a message of somebody else, without its words', () => {
    const said: ChatMessage = { number: 1, seat: 1, name: 'Ann', at: 0, text: 'my secret' };
    const message: ServerMessage = { type: 'said', remarks: [said] };
    expect(called(state([1]), message)).toEqual({ what: 'chat', title: 'Ann wrote – High Rise against Ann' });
    expect(called(state([1]), message, ['Ann'])).toBeNull();
  });

  it('is the end of the game', () => {
    expect(called(state([1]), { type: 'frame', frame: frame(4, [], true) })).toMatchObject({ what: 'over' });
  });
});

describe('the sound of an end', () => {
  const view = (...winners: number[]) => ({ ...frame(4, [], true).view, winners });

  it('depends on the player, and is neutral for spectators', () => {
    expect(resultSound(SEATS, view(0))).toBe('win');
    expect(resultSound(SEATS, view(1))).toBe('lose');
    expect(resultSound(SEATS, view(0, 1))).toBe('draw');
    expect(
      resultSound(
        SEATS.map((seat) => ({ ...seat, mine: false })),
        view(1),
      ),
    ).toBe('draw');
  });
});
