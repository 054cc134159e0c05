import { describe, expect, it } from 'vitest';
import { people, VIEW } from '../../app/fixtures';
import type { GameView } from '../../board/game-view';
import type { Ending, Frame, Line, Resumed, Seat, ServerMessage, View, Welcome } from '../../wire';
import { TABLE } from '../state/fixtures';
import { news } from './news';
import { INITIAL_STATE, reduce } from '../state/table-state';

const [ANN, OTHER] = people('Ann', 'Computer');
const SEATS: Seat[] = [ANN, { ...OTHER, kind: 'bot', level: 'easy' }];

const WORDS: Pick<GameView, 'say' | 'reason'> = {
  say: (_layout, line, seats) => `${seats[line.seat]?.name} plays ${line.text}`,
  reason: () => 'It got home.',
};
const SAYS = WORDS as GameView;

function line(seq: number, text = `act ${seq}`): Line {
  return { seq, seat: (seq + 1) % 2, text, effects: [] };
}

function frame(seq: number, view: Partial<View> = {}): Frame {
  return { seq, line: seq === 0 ? null : line(seq), view: { ...VIEW, to_act: [seq % 2], ...view }, legal: {} };
}

function lines(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => line(index + 1));
}

function welcome(seq: number): Welcome {
  const table = { ...TABLE, title: 'Some Game', seats: SEATS };
  return { type: 'welcome', table, lines: lines(seq), frame: frame(seq), ending: null };
}

const JOINED = reduce(INITIAL_STATE, welcome(2));

function spoken(message: ServerMessage, before = JOINED): string | undefined {
  return news(before, message, SAYS).polite;
}

describe('spoken politely', () => {
  it('arriving and coming back', () => {
    expect(spoken(welcome(0), INITIAL_STATE)).toBe('Some Game. Your turn.');
    expect(spoken(welcome(2))).toBe('Reconnected. Your turn.');
    expect(spoken(welcome(3))).toBe('Reconnected. 1 move was made meanwhile. Computer’s turn.');
    const first = welcome(0);
    expect(spoken({ ...first, table: { ...first.table, title: 'Who?' } }, INITIAL_STATE)).toBe('Who? Your turn.');
    const { table } = welcome(0);
    const missed: Resumed = { type: 'resumed', table, lines: lines(4).slice(2), frame: frame(4) };
    expect(spoken(missed)).toBe('Reconnected. 2 moves were made meanwhile. Your turn.');
    expect(spoken({ ...missed, lines: [], frame: frame(2) })).toBe('Reconnected. Your turn.');
  });

  it('what was taken back meanwhile', () => {
    expect(spoken(welcome(1))).toBe('Reconnected. Taken back to move 1. Computer’s turn.');
    const other = { ...welcome(4), lines: [line(1), line(2, 'another'), line(3), line(4)] };
    expect(spoken(other)).toBe('Reconnected. Taken back to move 1. 3 moves were made meanwhile. Your turn.');
    const long = { ...JOINED, lines: lines(6).slice(2), live: frame(6) };
    expect(spoken({ ...welcome(8), lines: lines(8).slice(4) }, long)).toBe(
      'Reconnected. 2 moves were made meanwhile. Your turn.',
    );
    expect(spoken({ ...welcome(9), lines: lines(9).slice(7) }, long)).toContain('3 moves were made meanwhile.');
    expect(spoken({ ...welcome(6), lines: [line(4), line(5, 'another'), line(6)] }, long)).toContain(
      'Taken back to move 4. 2 moves were made meanwhile.',
    );
    expect(spoken({ ...welcome(2), lines: lines(2) }, long)).toBe('Reconnected. Taken back to move 2. Your turn.');
    const hidden = { ...JOINED, lines: null };
    expect(spoken({ ...welcome(4), lines: null }, hidden)).toBe('Reconnected. 2 moves were made meanwhile. Your turn.');
    expect(spoken({ ...welcome(1), lines: null }, hidden)).toBe('Reconnected. Taken back to move 1. Computer’s turn.');
  });

  it('each act and whose turn it is', () => {
    expect(spoken({ type: 'frame', frame: frame(3) })).toBe('Ann plays act 3. Computer’s turn.');
  });

  it('without turns, only acts with effects', () => {
    const before = { ...JOINED, table: { ...JOINED.table!, turns: false } };
    const lifted = frame(3);
    const placed = { ...lifted, line: { ...lifted.line!, effects: [{ kind: 'places', spaces: ['p1'], value: null }] } };
    expect(spoken({ type: 'frame', frame: lifted }, before)).toBe('');
    expect(spoken({ type: 'frame', frame: placed }, before)).toBe('Ann plays act 3.');
  });

  it('the end with its rule', () => {
    const last = frame(3, { to_act: [], over: true, winners: [0], ended_by: 'IF-16', scores: [5, 3] });
    expect(spoken({ type: 'frame', frame: last })).toBe('Ann plays act 3. You win 5 to 3. It got home. Rule IF-16.');
  });

  it('only sentences: no raw act, no seat of chance, no zero players', () => {
    const { table } = welcome(0);
    const unloaded = news(JOINED, { type: 'frame', frame: frame(3) }, undefined).polite;
    expect(unloaded).toBe('Computer’s turn.');
    const rolls = { ...frame(3), view: { ...frame(3).view, to_act: [-1] } };
    expect(spoken({ type: 'frame', frame: rolls })).toBe('Ann plays act 3.');
    const early: Welcome = { ...welcome(0), table: { ...table, started: false } };
    expect(spoken(early, INITIAL_STATE)).toBe('Some Game. The game is about to start.');
    const together: Welcome = { ...welcome(0), table: { ...table, turns: false } };
    expect(news(INITIAL_STATE, together, undefined).polite).toBe('Some Game.');
  });

  it('who has started the next game', () => {
    const two = SEATS.map((seat) => ({ ...seat, kind: 'person' as const }));
    const before = { ...JOINED, table: { ...JOINED.table!, seats: two } };
    expect(spoken({ type: 'next', table: 'other' }, before)).toBe('Computer has started the next game.');
    const three = [...two, { ...two[1]!, seat: 2, name: 'Cem' }];
    expect(spoken({ type: 'next', table: 'other' }, { ...before, table: { ...before.table, seats: three } })).toBe(
      'Another player has started the next game.',
    );
  });

  it('an undo', () => {
    expect(spoken({ type: 'rewound', lines: [], frame: frame(0) })).toBe('Taken back to the start. Your turn.');
  });

  it('an earlier position, if it is still the requested one', () => {
    const looking = reduce(JOINED, { type: 'looking', seq: 1 });
    expect(spoken({ type: 'past', frame: frame(1) }, looking)).toBe('Move 1. Ann plays act 1.');
    expect(spoken({ type: 'past', frame: frame(0) }, looking)).toBeUndefined();
  });

  it('who comes, goes and proposes', () => {
    const { table, frame: now } = welcome(0);
    const other = { ...table.seats[1]!, kind: 'person' as const, name: 'Bob', level: null };
    const seats = [table.seats[0]!, other];
    expect(spoken({ type: 'changed', table: { ...table, seats }, frame: now })).toMatch(/^Bob at seat 2\./);
    const gone = { ...table, seats: [table.seats[0]!, { ...table.seats[1]!, gone: true }] };
    expect(spoken({ type: 'changed', table: gone, frame: now })).toBe('Computer has left.');
    const proposal = { number: 3, by: 1, what: 'undo' as const, target: 0, waiting: [0] };
    expect(spoken({ type: 'changed', table: { ...table, proposal }, frame: now })).toBe(
      'Computer asks to take back a move.',
    );
  });

  it('a pause and its end', () => {
    const { table, frame: now } = welcome(2);
    const paused: ServerMessage = { type: 'changed', table: { ...table, paused: true }, frame: now };
    expect(spoken(paused)).toBe('Game paused.');
    expect(spoken({ type: 'changed', table, frame: now }, reduce(JOINED, paused))).toBe('Game resumed. Your turn.');
    expect(spoken({ ...welcome(2), table: paused.table }, INITIAL_STATE)).toBe('Some Game. Game paused.');
    const left = { ...paused.table, unattended: true };
    expect(spoken({ ...welcome(2), table: left }, INITIAL_STATE)).toBe('Some Game. Game paused. Nobody was here.');
  });

  it.each(['undo', 'draw', 'fill', 'pause', 'resume'] as const)(
    'the result of an agreed %s, and who declined it',
    (what) => {
      const { table, frame: now } = welcome(2);
      const proposal = { number: 3, by: 0, what, target: 1, waiting: [1] };
      const seats = [SEATS[0]!, { ...SEATS[1]!, kind: 'person' as const, level: null }];
      const paused = what === 'resume';
      const before = reduce(JOINED, { type: 'changed', table: { ...table, seats, proposal, paused }, frame: now });
      const open = { ...table, seats, paused: what === 'resume' };
      expect(spoken({ type: 'changed', table: open, frame: now, dropped: 1 }, before)).toMatch(/^Computer declined /);
      expect(spoken({ type: 'changed', table: open, frame: now }, before)).toMatch(/^The .* has lapsed\.$/);
      const after = {
        undo: { table: { ...table, seats }, frame: frame(1) },
        draw: { table: { ...table, seats }, frame: frame(2, { over: true, winners: [0, 1] }) },
        fill: { table, frame: now },
        pause: { table: { ...table, seats, paused: true }, frame: now },
        resume: { table: { ...table, seats }, frame: now },
      }[what];
      expect(spoken({ type: 'changed', ...after }, before)).not.toMatch(/declined|lapsed/);
    },
  );

  it('why a game was broken off', () => {
    const { table } = welcome(2);
    const over = frame(2, { to_act: [], over: true, winners: [0] });
    const before = reduce(JOINED, { type: 'changed', table, frame: over });
    const standing = { games: 2, scores: [2, 0], leaders: [0], ratings: null };
    const message = (reason: Ending['reason']): ServerMessage => ({
      type: 'over',
      lines: [],
      ending: { secret: '', standing, reason, link: '', reviewable: true },
    });
    expect(spoken(message('time'), before)).toBe(
      'Computer ran out of time: you win. After 2 games – You: 2, Computer: 0.',
    );
    expect(spoken(message(null), before)).toBe('After 2 games – You: 2, Computer: 0.');
  });

  it('that the bots begin and end to warm up, and neither each estimate nor that they think', () => {
    const bots = (warming_up: number | null): ServerMessage => ({
      type: 'bots',
      state: 'thinking',
      seat: 1,
      warming_up,
    });
    const warming = reduce(JOINED, bots(20));
    expect(spoken(bots(20))).toBe('The computer plays below full strength for about 20 s.');
    expect(spoken(bots(150))).toBe('The computer plays below full strength for about 3 min.');
    expect(spoken(bots(15), warming)).toBeUndefined();
    expect(spoken(bots(null), warming)).toBe('The computer plays at full strength.');
    expect(spoken(bots(null))).toBeUndefined();
  });
});

describe('spoken immediately', () => {
  it('a refusal with its rule', () => {
    const fault = { code: 'far', message: 'c3 is out of reach.', rule: 'IF-9', where: ['c3'] };
    expect(news(JOINED, { type: 'refused', id: 'x', fault }, SAYS)).toEqual({
      assertive: 'c3 is out of reach. Rule IF-9.',
    });
  });

  it('that a table is unknown, before there is one', () => {
    expect(news(INITIAL_STATE, { type: 'error', message: 'No such table.' }, undefined)).toEqual({
      assertive: 'No such table.',
    });
  });
});
