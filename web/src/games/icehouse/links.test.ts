import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Kind } from './acts';
import { Hand } from './hand.svelte';
import { LAYOUT } from './fixtures';
import { Ground } from './placing';
import type { Layout, View, Wire } from './wire';
import type { BoardProps, FrameOf } from '../../board/game-view';
import type { ServerMessage } from '../../wire';
import { FakeTable, type Line, LinkedSocket, seeded } from './links';
import { TABLE } from '../../table/state/fixtures';
import { Connection } from '../../table/session/net';
import { actsOf } from '../../table/state/on-their-way';
import { INITIAL_STATE, reduce, seen, type TableState } from '../../table/state/table-state';

/** A player's page: its state, the hand over the field, and the requests it has sent. */
class FakePage {
  state: TableState = INITIAL_STATE;
  requests: { id: string; text: string }[] = [];
  /** The piece that a request let go, according to the page. */
  meant = new Map<string, string>();
  hand: Hand;
  connection: Connection;
  #seat: number;

  constructor(seat: number) {
    this.#seat = seat;
    this.connection = new Connection(
      `ws://here/ws?${seat}`,
      { type: 'join', table: 't', codes: [] },
      {
        message: (message) => this.do(message),
        seen: () => seen(this.state),
        link: () => undefined,
        isServerUp: () => Promise.resolve(true),
      },
    );
    const layout: Layout = { ...LAYOUT, colours: ['red', 'green'] };
    this.hand = new Hand({
      props: () => this.#props(layout),
      ground: () => new Ground(layout, []),
      seat: () => seat,
      anchor: () => ({ x: 0, y: 0 }),
      reach: () => 0,
      shake: () => undefined,
      after: (act) => act(),
    });
  }

  do(message: ServerMessage): void {
    this.state = reduce(this.state, message);
  }

  get socket(): LinkedSocket {
    return LinkedSocket.newest(this.#seat);
  }

  get view(): View | undefined {
    return this.state.live?.view as View | undefined;
  }

  act(text: string, after?: string): void {
    const id = `${this.#seat}-${this.requests.length}`;
    if (text.startsWith('place')) this.meant.set(id, this.hand.name ?? '');
    this.requests.push({ id, text });
    this.state = reduce(this.state, { type: 'asked', id, act: { seat: this.#seat, text, after } });
    this.connection.ask({ type: 'act', id, seat: this.#seat, text, ...(after === undefined ? {} : { after }) });
  }

  /** Takes a piece and lets it go. `how`: see FakeTable. */
  play(kind: Kind, how: 7 | 8 | 9): void {
    this.hand.lift(kind);
    this.hand.take({ x: 1000 + how, y: 1000, heading: 0, standing: true });
    this.hand.over = false; // so that the page does not judge it
    this.hand.place();
  }

  #props(layout: Layout): Pick<BoardProps<Wire>, 'layout' | 'frame' | 'sent' | 'onact' | 'fault'> {
    return {
      layout,
      frame: this.state.live as FrameOf<Wire>,
      fault: this.state.fault,
      sent: actsOf(this.state.pending),
      onact: (text, _seat, after) => this.act(text, after),
    };
  }
}

let random: () => number;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function chance(probability: number): boolean {
  return random() < probability;
}

function pick<T>(...choices: T[]): T {
  return choices[Math.floor(random() * choices.length)]!;
}

function open(seed: number, lines: Line[]): { table: FakeTable; pages: FakePage[] } {
  random = seeded(seed);
  vi.spyOn(Math, 'random').mockImplementation(random);
  const table = new FakeTable(TABLE);
  LinkedSocket.connect(table, lines, random);
  vi.stubGlobal('WebSocket', LinkedSocket);
  return { table, pages: lines.map((_, seat) => new FakePage(seat)) };
}

/** A random act of a player. */
function move(page: FakePage, colour: 'red' | 'green'): void {
  const kind = { size: pick('S', 'M', 'L'), colour } as Kind;
  const gift = page.state.live?.legal[colour === 'red' ? 0 : 1]?.find((text) => text.startsWith('give'));
  if (gift) return void page.hand.act(gift);
  if (chance(0.1)) return void page.hand.act('icehouse');
  if (chance(0.1)) return page.hand.putBack();
  if (chance(0.3)) return page.hand.lift(kind);
  page.play(kind, pick(7, 7, 7, 8, 9));
}

function disturb(page: FakePage): void {
  const socket = page.socket;
  if (chance(0.01)) socket.stall(200 + 2000 * random());
  if (chance(0.004)) socket.cut();
}

const QUIET_MS = 60_000;

describe('pages and server over bad connections', () => {
  it.each([1, 2, 3, 4])('agree after all messages have arrived, in fifty games (%i)', (part) => {
    for (let game = 0; game < 50; game++) {
      const line = () => ({ delay: pick(0, 25, 75, 200, 400), jitter: pick(0, 50, 150) });
      random = seeded(1000 * part + game);
      const { table, pages } = open(1000 * part + game, [line(), line()]);
      vi.advanceTimersByTime(2000);
      for (let time = 0; time < 400; time++) {
        for (const [seat, page] of pages.entries()) {
          if (page.view && chance(0.12)) move(page, seat ? 'green' : 'red');
          disturb(page);
        }
        vi.advanceTimersByTime(50);
      }
      vi.advanceTimersByTime(QUIET_MS);
      for (const [seat, page] of pages.entries()) {
        expect(page.state.pending).toEqual([]);
        expect(page.view).toEqual(table.state);
        expect(page.hand.name).toBe(table.state.hands[seat]);
        expect(page.hand.landing).toEqual([]);
        expect(page.hand.expected?.pad).toEqual(table.state.pads[seat]);
        for (const { id } of page.requests) expect(table.judged.get(id)).toBe(1);
        for (const { id, name } of table.placed) if (page.meant.has(id)) expect(name).toBe(page.meant.get(id));
        page.connection.close();
      }
      expect(new Set(table.placed.map(({ id }) => id)).size).toBe(table.placed.length);
      expect(table.placed.length).toBeGreaterThan(5);
    }
  });
});

describe('a call', () => {
  it('is sent immediately whatever else is pending, in a thousand trials with refusals around it', () => {
    for (let trial = 0; trial < 1000; trial++) {
      const { table, pages } = open(trial, [{ delay: pick(50, 150, 400), jitter: pick(0, 100) }]);
      const page = pages[0]!;
      vi.advanceTimersByTime(2000);
      for (let i = 0; i < 1 + 4 * random(); i++) {
        page.play({ size: pick('S', 'M', 'L'), colour: 'red' }, pick(7, 8, 8));
        vi.advanceTimersByTime(400 * random());
      }
      const socket = page.socket;
      page.hand.act('icehouse');
      expect(socket.sent.at(-1)).toMatchObject({ type: 'act', text: 'icehouse' });
      if (chance(0.5)) page.play({ size: 'S', colour: 'red' }, 8);
      vi.advanceTimersByTime(3000);
      expect(table.lines.filter((line) => line?.text === 'icehouse')).toHaveLength(1);
      page.connection.close();
    }
  });
});

describe('the hand', () => {
  const RED = { size: 'L', colour: 'red' } as const;

  it('sends taking and letting go together, and shows all pieces that are landing', () => {
    const { pages } = open(1, [{ delay: 400, jitter: 0 }]);
    const page = pages[0]!;
    vi.advanceTimersByTime(2000);
    for (const _ of [1, 2, 3]) page.play(RED, 7);
    const acts = page.socket.sent.flatMap((message) => (message.type === 'act' ? [message.text] : []));
    expect(acts).toHaveLength(6);
    expect(page.hand.landing).toHaveLength(3);
    expect(page.hand.expected?.pad).toMatchObject({ red: { L: 47 } });
    expect(page.hand.ground.pieces).toHaveLength(3);
  });

  it('never places a piece in place of another', () => {
    const { table, pages } = open(2, [{ delay: 200, jitter: 0 }]);
    const page = pages[0]!;
    vi.advanceTimersByTime(2000);
    page.play(RED, 8);
    page.play({ size: 'S', colour: 'red' }, 7);
    vi.advanceTimersByTime(450);
    expect(page.hand.name).toBe('L:red');
    vi.advanceTimersByTime(2000);
    expect(table.placed).toEqual([]);
    expect([page.hand.name, page.state.fault?.code]).toEqual(['L:red', 'points-at-nothing']);
  });

  it('drops acts that are too old, and keeps those that were made', () => {
    const { table, pages } = open(4, [{ delay: 150, jitter: 0 }]);
    const page = pages[0]!;
    vi.advanceTimersByTime(2000);
    page.play(RED, 7);
    vi.advanceTimersByTime(200);
    page.socket.cut();
    page.play(RED, 7);
    page.hand.act('icehouse');
    vi.spyOn(Math, 'random').mockReturnValue(1);
    LinkedSocket.connect(table, [{ delay: 2900, jitter: 0 }], random);
    vi.advanceTimersByTime(20_000);
    expect([table.placed.length, page.hand.name, page.state.pending]).toEqual([1, null, []]);
    expect(table.lines.some((line) => line?.text === 'icehouse')).toBe(false);
    expect(page.state.fault?.code).toBe('lapsed');
  });

  it('follows the server after a lost answer', () => {
    const { table, pages } = open(3, [
      { delay: 150, jitter: 0 },
      { delay: 0, jitter: 0 },
    ]);
    const [page, other] = pages as [FakePage, FakePage];
    vi.advanceTimersByTime(2000);
    page.hand.lift(RED);
    vi.advanceTimersByTime(200);
    expect(table.state.hands[0]).toBe('L:red');
    page.socket.cut();
    vi.advanceTimersByTime(5000);
    other.hand.act('icehouse');
    vi.advanceTimersByTime(1000);
    expect([table.state.hands[0], page.hand.name, page.state.pending]).toEqual([null, null, []]);
  });
});
