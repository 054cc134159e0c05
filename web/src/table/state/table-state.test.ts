import { describe, expect, it } from 'vitest';
import { people, VIEW } from '../../app/fixtures';
import type { Frame, Line, Seat, ServerMessage, TableInfo, Welcome } from '../../wire';
import { TABLE } from './fixtures';
import {
  actingSeat,
  firstKnown,
  analysisAt,
  hasGap,
  isOurs,
  isHistoryRevealed,
  isSolvable,
  lacksPast,
  legalActs,
  othersMayAnalyse,
  mayAnalyse,
  mayOfferDraw,
  mayResign,
  mayPause,
  mayResume,
  INITIAL_STATE,
  reduce,
  seen,
  shown,
  exploreStart,
  undoTarget,
  verdicts,
  type LocalEvent,
  type TableState,
} from './table-state';

const [ANN, THEIRS] = people('Ann', 'Ben');
const BEN: Seat = { ...THEIRS, mine: true };
const BOT: Seat = { ...THEIRS, kind: 'bot', name: 'Computer', level: 'easy' };

function line(seq: number, seat = (seq + 1) % 2): Line {
  return { seq, seat, text: `act ${seq}`, effects: [] };
}

function frame(seq: number, legal: Record<string, string[]> = {}): Frame {
  return { seq, line: seq === 0 ? null : line(seq), view: { ...VIEW, to_act: [seq % 2] }, legal };
}

function welcome(seats: Seat[], count: number, legal: Record<string, string[]> = {}): ServerMessage {
  return {
    type: 'welcome',
    table: { ...TABLE, seats },
    lines: Array.from({ length: count }, (_, index) => line(index + 1)),
    frame: frame(count, legal),
    ending: null,
  };
}

function after(...events: (ServerMessage | LocalEvent)[]): TableState {
  return events.reduce(reduce, INITIAL_STATE);
}

const FAULT = { code: 'far', message: 'Too far.', rule: 'IF-9', where: ['c3'] };

describe('welcome', () => {
  it('brings the table, its acts and the newest position', () => {
    const state = after(welcome([ANN, BOT], 2, { 0: ['pass'] }));
    expect(state.table?.seats).toEqual([ANN, BOT]);
    expect(state.lines?.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(shown(state)?.seq).toBe(2);
    expect(actingSeat(state)).toBe(0);
    expect(legalActs(state)).toEqual(['pass']);
  });

  it('after a loss keeps the earlier position and the pending act, and resets the bots', () => {
    const state = after(
      welcome([ANN, BOT], 3),
      { type: 'bots', state: 'thinking', seat: 1, warming_up: 5 },
      { type: 'looking', seq: 1 },
      { type: 'asked', id: 'a' },
      { type: 'error', message: 'restarting' },
      welcome([ANN, BOT], 4),
    );
    expect(state.looking).toBe(1);
    expect(state.pending.map(({ id }) => id)).toEqual(['a']);
    expect(state.bots).toEqual({ state: 'ready', seat: null, warming_up: null });
    expect(state.error).toBeNull();
  });
});

describe('pending acts', () => {
  const asked = (id: string, after?: string): LocalEvent => ({ type: 'asked', id, act: { seat: 0, text: id, after } });
  const refused = (id: string): ServerMessage => ({ type: 'refused', id, fault: FAULT });
  const at = (turns: boolean) => ({ ...welcome([ANN, BOT], 2, { 0: ['a'] }), table: { ...TABLE, turns } }) as Welcome;

  it('take turns, or follow each other without turns', () => {
    expect(actingSeat(after(at(true), asked('a')))).toBeNull();
    expect(actingSeat(after(at(false), asked('a'), asked('b')))).toBe(0);
    expect(actingSeat(after(at(false), { type: 'asked', id: 'offer' }))).toBeNull();
  });

  it('are dropped with the one that they depend on, and their own refusals are ignored', () => {
    const state = after(at(false), asked('a'), asked('call'), asked('b', 'a'), refused('a'));
    expect(state.pending.map(({ id }) => id)).toEqual(['call']);
    expect(state.fault).toEqual(FAULT);
    expect(reduce(state, { ...refused('b'), fault: { ...FAULT } } as ServerMessage)).toBe(state);
  });
});

describe('coming back', () => {
  const { table } = after(welcome([ANN, BOT], 0));

  function resumed(from: number, to: number): ServerMessage {
    const lines = Array.from({ length: to - from }, (_, index) => line(from + index + 1));
    return { type: 'resumed', table: table!, lines, frame: { ...frame(to), entry: to + 2 } };
  }

  it.each([0, 1, 5])('with %i acts missed gives the same state as joining', (missed) => {
    const state = after(welcome([ANN, BOT], 2), resumed(2, 2 + missed));
    const joined = after(welcome([ANN, BOT], 2 + missed));
    expect(state.lines).toEqual(joined.lines);
    expect(state.live?.seq).toBe(2 + missed);
    expect(hasGap(state)).toBe(false);
    expect(seen(state)).toEqual({ seq: 2 + missed, entry: 4 + missed });
  });

  it('keeps the earlier position, the pending act and solved values, and resets the bots', () => {
    const state = after(
      welcome([ANN, BOT], 3),
      { type: 'bots', state: 'thinking', seat: 1, warming_up: 5 },
      { type: 'solved', seq: 3, values: { a: 'win' } },
      { type: 'looking', seq: 1 },
      { type: 'asked', id: 'a' },
      resumed(3, 4),
    );
    expect([state.looking, state.pending[0]?.id, state.bots.state]).toEqual([1, 'a', 'ready']);
    expect(
      verdicts(after(welcome([ANN, BOT], 3), { type: 'solved', seq: 3, values: { a: 'win' } }, resumed(3, 3))),
    ).toEqual({ a: 'win' });
  });

  it('sends no known acts if some are missing', () => {
    expect(seen(INITIAL_STATE)).toBeUndefined();
    expect(seen(after(welcome([ANN, BOT], 0)))).toEqual({ seq: 0, entry: 0 });
    expect(seen(after({ ...welcome([ANN, BOT], 2), lines: null } as ServerMessage))).toBeUndefined();
    expect(seen(after(welcome([ANN, BOT], 0), { type: 'frame', frame: frame(2) }))).toBeUndefined();
  });

  it('to a new welcome forgets solved values', () => {
    const state = after(
      welcome([ANN, BOT], 3),
      { type: 'solved', seq: 3, values: { a: 'win' } },
      welcome([ANN, BOT], 3),
    );
    expect(verdicts(state)).toBeUndefined();
  });
});

describe('a long list of acts', () => {
  const WHOLE = Array.from({ length: 12 }, (_, index) => line(index + 1));
  /** With four acts per page. */
  const long = { ...welcome([ANN, BOT], 12), lines: WHOLE.slice(8) } as ServerMessage;

  function page(before: number): ServerMessage {
    return { type: 'history', lines: WHOLE.slice(Math.max(0, before - 5), before - 1) };
  }

  it('is known from its end, without a gap', () => {
    const state = after(long);
    expect(firstKnown(state.lines)).toBe(9);
    expect(hasGap(state)).toBe(false);
    expect(seen(state)).toEqual({ seq: 12, entry: 0 });
    const more = reduce(state, { type: 'frame', frame: frame(13) });
    expect(more.lines?.map(({ seq }) => seq)).toEqual([9, 10, 11, 12, 13]);
    expect([hasGap(more), hasGap(reduce(more, { type: 'frame', frame: frame(15) }))]).toEqual([false, true]);
  });

  it('is available again once secret choices are revealed', () => {
    const hidden = after({ ...long, lines: null } as ServerMessage);
    const revealing = { ...line(13), effects: [{ kind: 'reveals', spaces: [], value: '0:rock' }] };
    const asking = { ...frame(13).view, asked: [] };
    const isRevealed = (state: TableState, more: Partial<Frame>): boolean =>
      isHistoryRevealed(reduce(state, { type: 'frame', frame: { ...frame(13), ...more } }));
    expect(isRevealed(hidden, { line: revealing, view: asking })).toBe(true);
    expect(isRevealed(hidden, { view: asking })).toBe(false);
    expect(isRevealed(hidden, { line: revealing })).toBe(true);
    expect(isRevealed(after(long), { line: revealing, view: asking })).toBe(false);
  });

  it('grows at its beginning by pages that fit', () => {
    expect(after(long, page(9), page(5)).lines).toEqual(WHOLE);
    expect(firstKnown(after(long, page(9), page(9), page(8)).lines)).toBe(5);
    expect(firstKnown(after(long, page(9), page(5), page(1)).lines)).toBe(1);
    expect(after({ ...long, lines: null } as ServerMessage, page(9)).lines).toBeNull();
    expect([firstKnown(null), firstKnown([])]).toEqual([1, 1]);
  });

  it('lacks the acts before an earlier position shown, until their pages arrive', () => {
    const looking = (seq: number, ...pages: ServerMessage[]): boolean =>
      lacksPast(after(long, ...pages, { type: 'looking', seq }));
    expect([12, 11, 9, 8, 1, 0].map((seq) => looking(seq))).toEqual([false, false, false, true, true, true]);
    expect([5, 4, 0].map((seq) => looking(seq, page(9)))).toEqual([false, true, true]);
    expect([1, 0].map((seq) => looking(seq, page(9), page(5)))).toEqual([false, false]);
  });

  it('shows a gap after a loss if more was missed than was sent', () => {
    const { table } = after(long);
    const resumed: ServerMessage = { type: 'resumed', table: table!, lines: [line(20)], frame: frame(20) };
    expect(hasGap(after(long, resumed))).toBe(true);
  });
});

describe('a piece in another hand', () => {
  const held = (seat: number, what: string | null): ServerMessage => ({ type: 'held', seat, what });

  it('is shown until it is put back', () => {
    const state = after(welcome([ANN, BEN], 0), held(1, 'b1'), held(1, 'S'));
    expect(state.held).toEqual(held(1, 'S'));
    expect(reduce(state, held(0, null)).held).toEqual(held(1, 'S'));
    expect(reduce(state, held(1, null)).held).toBeNull();
  });

  it.each([
    { type: 'frame', frame: frame(1) },
    { type: 'rewound', lines: [], frame: frame(0) },
    welcome([ANN, BEN], 0),
  ] as ServerMessage[])('is removed with $type', (message) => {
    expect(after(welcome([ANN, BEN], 0), held(1, 'b1'), message).held).toBeNull();
  });

  it('stays if only the table changes', () => {
    const { table } = after(welcome([ANN, BEN], 0));
    const state = after(welcome([ANN, BEN], 0), held(1, 'b1'), { type: 'changed', table: table!, frame: frame(0) });
    expect(state.held).toEqual(held(1, 'b1'));
  });
});

describe('frames', () => {
  it('add their act to the list', () => {
    const state = after(welcome([ANN, BOT], 0), { type: 'frame', frame: frame(1) });
    expect(state.lines).toEqual([line(1)]);
    expect(shown(state)?.seq).toBe(1);
    expect(hasGap(state)).toBe(false);
  });

  it('show a gap if an act is missing in between', () => {
    const state = after(welcome([ANN, BOT], 0), { type: 'frame', frame: frame(2) });
    expect(hasGap(state)).toBe(true);
    expect(hasGap(reduce(state, welcome([ANN, BOT], 2)))).toBe(false);
  });

  it('do not replace an earlier position', () => {
    const state = after(
      welcome([ANN, BOT], 2),
      { type: 'looking', seq: 1 },
      { type: 'past', frame: frame(1) },
      { type: 'frame', frame: frame(3, { 1: ['pass'] }) },
    );
    expect(shown(state)?.seq).toBe(1);
    expect(state.live?.seq).toBe(3);
  });
});

describe('acting', () => {
  it('belongs to the seat whose turn it is when several sit at one screen', () => {
    const first = after(welcome([ANN, BEN], 0, { 0: ['a'] }));
    const second = reduce(first, { type: 'frame', frame: frame(1, { 1: ['b'] }) });
    expect([actingSeat(first), actingSeat(second)]).toEqual([0, 1]);
    expect(legalActs(second)).toEqual(['b']);
  });

  it('is nobody’s for a spectator', () => {
    expect(actingSeat(after(welcome([{ ...ANN, mine: false }, BOT], 0)))).toBeNull();
  });

  it('is nobody’s while an act is pending', () => {
    const asked = after(
      welcome([ANN, BEN], 0, { 0: ['a'] }),
      { type: 'asked', id: 'x' },
      { type: 'frame', frame: frame(1, { 1: ['b'] }) },
    );
    expect(actingSeat(asked)).toBeNull();
    expect(actingSeat(reduce(asked, { type: 'ack', id: 'x', seq: 1 }))).toBe(1);
  });

  it('does not end the wait at the acknowledgement of something else', () => {
    const state = after(
      welcome([ANN, BEN], 0, { 0: ['a'] }),
      { type: 'asked', id: 'x' },
      { type: 'ack', id: 'old', seq: 0 },
    );
    expect(state.pending[0]?.id).toBe('x');
  });
});

describe('refusals', () => {
  const refused = after(
    welcome([ANN, BEN], 0, { 0: ['a'] }),
    { type: 'asked', id: 'x' },
    { type: 'refused', id: 'x', fault: FAULT },
  );

  it('return the turn and say why', () => {
    expect(refused.fault).toEqual(FAULT);
    expect(actingSeat(refused)).toBe(0);
  });

  it.each<LocalEvent>([{ type: 'dismissed' }, { type: 'asked', id: 'y' }])('are removed with $type', (event) => {
    expect(reduce(refused, event).fault).toBeNull();
  });

  it('are removed with the next move or, without turns, with the end', () => {
    const next: ServerMessage = { type: 'frame', frame: frame(1) };
    const last: ServerMessage = { type: 'frame', frame: { ...frame(1), view: { ...frame(1).view, over: true } } };
    expect(reduce(refused, next).fault).toBeNull();
    const realtime = { ...refused, table: { ...refused.table!, turns: false } };
    expect(reduce(realtime, next).fault).toEqual(FAULT);
    expect(reduce(realtime, last).fault).toBeNull();
  });
});

describe('resigning', () => {
  it('is for the seat of this browser that is to act, or else for all', () => {
    const here = after(welcome([ANN, BEN], 1));
    expect(mayResign(here)).toEqual([1]);
    expect(mayResign(after(welcome([ANN, BOT], 1)))).toEqual([0]);
    expect(mayResign(reduce(here, { type: 'asked', id: 'x' }))).toEqual([]);
    expect(mayResign(after(welcome([{ ...ANN, mine: false }, BOT], 1)))).toEqual([]);
  });
});

describe('an earlier position', () => {
  const back = after(welcome([ANN, BOT], 4, { 0: ['a'] }), { type: 'looking', seq: 3 });

  it('is shown when it arrives, and lets nobody act', () => {
    expect(shown(back)?.seq).toBe(4);
    expect(actingSeat(back)).toBeNull();
    expect(shown(reduce(back, { type: 'past', frame: frame(3) }))?.seq).toBe(3);
  });

  it('is ignored if it is no longer requested', () => {
    const state = [{ type: 'looking', seq: 2 } as const, { type: 'past', frame: frame(3) } as const].reduce<TableState>(
      reduce,
      back,
    );
    expect(shown(state)?.seq).toBe(4);
  });

  it('gives way to the newest position', () => {
    const state = reduce(reduce(back, { type: 'past', frame: frame(3) }), { type: 'looking', seq: 4 });
    expect(state.looking).toBeNull();
    expect(shown(state)?.seq).toBe(4);
    expect(actingSeat(state)).toBe(0);
  });

  it('is never before the start', () => {
    expect(reduce(back, { type: 'looking', seq: -1 }).looking).toBe(0);
  });
});

describe('rewound', () => {
  const rewound = (count: number): ServerMessage => ({
    type: 'rewound',
    lines: [1, 2, 3].slice(0, count).map((seq) => line(seq)),
    frame: frame(count, { 0: ['a'] }),
  });

  it('shortens the list of acts and lets the seat act again', () => {
    const state = after(
      welcome([ANN, BOT], 4),
      { type: 'asked', id: 'u' },
      { type: 'ack', id: 'u', seq: 2 },
      rewound(2),
    );
    expect(state.lines).toHaveLength(2);
    expect(actingSeat(state)).toBe(0);
  });

  it('hides an earlier position that was taken back, and no other', () => {
    const looking = (seq: number) => after(welcome([ANN, BOT], 4), { type: 'looking', seq }, rewound(2));
    expect(looking(3).looking).toBeNull();
    expect(looking(1).looking).toBe(1);
  });
});

describe('undo', () => {
  const undoable: ServerMessage = { type: 'frame', frame: { ...frame(1), undo: 0 } };

  it('leads where the server says, once the pending act is answered', () => {
    const asked = after(welcome([ANN, BOT], 0), { type: 'asked', id: 'a' }, undoable);
    expect(undoTarget(asked)).toBeNull();
    expect(undoTarget(reduce(asked, { type: 'ack', id: 'a', seq: 1 }))).toBe(0);
  });

  it('leads nowhere once the game is over', () => {
    const { view } = frame(1);
    const over: ServerMessage = { type: 'frame', frame: { ...frame(1), view: { ...view, over: true }, undo: 0 } };
    expect(undoTarget(after(welcome([ANN, BOT], 0), over))).toBeNull();
  });

  it('leads nowhere if the server names nothing', () => {
    expect(undoTarget(INITIAL_STATE)).toBeNull();
    expect(undoTarget(after(welcome([ANN, BOT], 2)))).toBeNull();
  });
});

describe('an analysis board starts', () => {
  /** Ann has made acts 1 and 3, the computer 2 and 4. */
  function over(seats: Seat[], lines: Line[] | null = [1, 2, 3, 4].map((seq) => line(seq))): TableState {
    const { view } = frame(4);
    return after({ ...welcome(seats, 4), lines, frame: { ...frame(4), view: { ...view, over: true } } } as Welcome);
  }

  it('from the position shown', () => {
    const state = after(welcome([ANN, BOT], 3));
    expect(exploreStart(state)).toBe(3);
    const back = reduce(reduce(over([ANN, BOT]), { type: 'looking', seq: 2 }), { type: 'past', frame: frame(2) });
    expect(exploreStart(back)).toBe(2);
  });

  it('before our last act, if the game is over', () => {
    expect(exploreStart(over([ANN, BOT]))).toBe(2);
    expect(
      exploreStart(
        over([
          { ...ANN, mine: false },
          { ...BEN, mine: true },
        ]),
      ),
    ).toBe(3);
    expect(exploreStart(over([{ ...ANN, mine: false }, BOT]))).toBeNull();
  });

  it('nowhere for a record, which must not be analysed', () => {
    const state = over([ANN, BOT]);
    expect(exploreStart({ ...state, table: { ...state.table!, record: true } })).toBeNull();
  });

  it('nowhere while the game hides its history', () => {
    expect([exploreStart(INITIAL_STATE), exploreStart(over([ANN, BOT], null))]).toEqual([null, null]);
  });
});

it('a table is ours if nobody else plays there', () => {
  const state = after(welcome([ANN, BOT], 0));
  expect(isOurs(state.table!)).toBe(true);
  expect(isOurs(after(welcome([ANN, { ...BEN, mine: false }], 0)).table!)).toBe(false);
});

const ENDING = {
  secret: '5e',
  standing: { games: 1, scores: [1, 0], leaders: [0], ratings: null },
  reason: null,
  link: 'a1',
  reviewable: true,
};

describe('a game that hides its history', () => {
  const hidden = { ...welcome([ANN, BOT], 4), lines: null } as ServerMessage;
  const over: ServerMessage = { type: 'over', lines: [1, 2, 3, 4, 5].map((seq) => line(seq)), ending: ENDING };

  it('has no gaps and no earlier positions', () => {
    const state = after(hidden, { type: 'frame', frame: frame(5) }, { type: 'frame', frame: frame(7) });
    expect(state.lines).toBeNull();
    expect(hasGap(state)).toBe(false);
    expect(reduce(state, { type: 'looking', seq: 2 }).looking).toBeNull();
  });

  it('shows everything when it is over, and hides it again when the end is taken back', () => {
    const state = after(hidden, { type: 'frame', frame: frame(5) }, over);
    expect(state.lines).toHaveLength(5);
    expect(state.ending).toEqual(ENDING);
    const back = after(hidden, { type: 'frame', frame: frame(5) }, over, { type: 'looking', seq: 1 });
    expect(back.looking).toBe(1);
    const again = reduce(back, { type: 'rewound', lines: null, frame: frame(3) });
    expect([again.lines, again.ending, again.looking]).toEqual([null, null, null]);
  });
});

describe('solved values', () => {
  const solved: ServerMessage = { type: 'solved', seq: 2, values: { a: 'win', b: 'loss' } };

  it('belong to the position shown', () => {
    const state = after(welcome([ANN, BOT], 2), solved);
    expect(verdicts(state)).toEqual({ a: 'win', b: 'loss' });
    expect(verdicts(reduce(state, { type: 'frame', frame: frame(3) }))).toBeUndefined();
    expect(verdicts(after(welcome([ANN, BOT], 2)))).toBeUndefined();
  });

  it('of an act that was taken back are forgotten', () => {
    const back: ServerMessage = { type: 'rewound', lines: [], frame: frame(2) };
    expect(verdicts(after(welcome([ANN, BOT], 2), solved, back))).toBeUndefined();
  });
});

describe('analysis', () => {
  const answer: ServerMessage = { type: 'unanalysed', seq: 2, why: 'Not now.' };

  it('belongs to its position, and is forgotten when acts are taken back', () => {
    const state = after(welcome([ANN, BOT], 2), answer);
    expect([analysisAt(state, 2), analysisAt(state, 1)]).toEqual([answer, null]);
    const back: ServerMessage = { type: 'rewound', lines: [], frame: frame(2) };
    expect(analysisAt(reduce(state, back), 2)).toBeNull();
  });

  it('is available only if the table allows it, or when the game is over', () => {
    const at = (changes: Partial<TableInfo>, over: boolean): TableState => {
      const { view, ...newest } = frame(2);
      return { ...INITIAL_STATE, table: { ...TABLE, ...changes }, live: { ...newest, view: { ...view, over } } };
    };
    expect(mayAnalyse(at({ insight: 'now' }, false))).toBe(true);
    expect([false, true].map((over) => mayAnalyse(at({ insight: 'over' }, over)))).toEqual([false, true]);
    expect([false, true].map((over) => mayAnalyse(at({ insight: 'alone' }, over)))).toEqual([false, true]);
    expect([false, true].map((over) => othersMayAnalyse(at({ insight: 'alone' }, over)))).toEqual([true, false]);
    expect(othersMayAnalyse(at({ insight: 'over' }, false))).toBe(false);
    expect(mayAnalyse(at({ insight: 'never' }, true))).toBe(false);
    expect(mayAnalyse(at({ insight: 'now', analysable: false }, true))).toBe(false);
    expect(isSolvable(at({ insight: 'now', solvable: true }, false))).toBe(true);
    expect(isSolvable(at({ insight: 'over', solvable: true, local: true }, false))).toBe(false);
  });
});

describe('what can be offered', () => {
  const CLOCK = { per: 'act', seconds: 30, increment: 0 } as const;
  const EVE: Seat = { ...BEN, mine: false };

  function offers(seats: Seat[], some: Partial<TableInfo>, over = false): string[] {
    const message = welcome(seats, 0) as Welcome;
    const view = { ...message.frame.view, over };
    const state = after({ ...message, table: { ...message.table, ...some }, frame: { ...message.frame, view } });
    return [mayOfferDraw(state) && 'draw', mayPause(state) && 'pause', mayResume(state) && 'resume'].filter(
      (offer) => offer !== false,
    );
  }

  it('is a draw among people, and a pause if time counts', () => {
    expect(offers([ANN, EVE], {})).toEqual(['draw']);
    expect(offers([ANN, EVE], { clock: CLOCK })).toEqual(['draw', 'pause']);
    expect(offers([ANN, EVE], { turns: false })).toEqual(['draw', 'pause']);
    expect(offers([ANN, BOT], { clock: CLOCK })).toEqual(['pause']);
    expect(offers([ANN], { clock: CLOCK })).toEqual(['pause']);
    expect(offers([ANN, EVE], { paused: true })).toEqual(['draw', 'resume']);
  });

  it('is nothing for spectators, before the start, after the end and while a proposal is open', () => {
    const proposal = { number: 1, by: 0, what: 'draw', target: 0, waiting: [1] } as const;
    expect(offers([{ ...ANN, mine: false }, EVE], { clock: CLOCK })).toEqual([]);
    expect(offers([ANN, EVE], { clock: CLOCK, started: false })).toEqual([]);
    expect(offers([ANN, EVE], { clock: CLOCK }, true)).toEqual([]);
    expect(offers([ANN, EVE], { clock: CLOCK, proposal: { ...proposal, waiting: [1] } })).toEqual([]);
  });
});
