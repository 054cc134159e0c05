import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientMessage, Frame, Ping, Refused, Resumed, Seen, ServerMessage, Welcome } from '../../wire';
import { TABLE } from '../state/fixtures';
import { BLOCKED, Connection, type Link } from './net';

class FakeSocket {
  static readonly CONNECTING = 0;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  /** Everything sent, except pings. */
  sent: ClientMessage[] = [];
  pings: Ping[] = [];
  closed = false;
  readyState = FakeSocket.CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    const message = JSON.parse(text) as ClientMessage;
    if (message.type === 'ping') this.pings.push(message);
    else this.sent.push(message);
  }

  close(): void {
    this.closed = true;
    this.lose(1000);
  }

  /** Closes the connection; 1006 means that nobody said why. */
  lose(code = 1006, reason = ''): void {
    this.onclose?.({ code, reason });
  }

  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** Lets the client join. */
  welcome(welcome = WELCOME): void {
    this.readyState = 1;
    this.onopen?.();
    this.say(welcome);
  }
}

/** Loses the connection, and lets the client join again. */
function comeBack(wait = 500): void {
  FakeSocket.last.lose();
  vi.advanceTimersByTime(wait);
  FakeSocket.last.welcome();
}

const FRAME: Frame = {
  seq: 0,
  line: null,
  view: { seat: 0, to_act: [0], over: false, ended_by: null, winners: [], scores: [0, 0] },
  legal: { 0: ['pass'] },
};
const WELCOME: Welcome = {
  type: 'welcome',
  table: TABLE,
  lines: [],
  ending: null,
  frame: FRAME,
};
const TOGETHER: Welcome = { ...WELCOME, table: { ...TABLE, turns: false } };
const RESUMED: Resumed = { type: 'resumed', table: WELCOME.table, lines: [], frame: FRAME };
const JOIN = { type: 'join', table: 't', codes: ['c0'] } as const;
const ACT = { type: 'act', id: 'a1', seat: 0, text: 'b2-c3' } as const;
const REFUSED: Refused = {
  type: 'refused',
  id: 'a1',
  fault: { code: 'far', message: 'Too far.', rule: 'IF-9', where: ['c3'] },
};

let heard: ServerMessage[];
let links: Link[];
let reasons: string[];
let known: Seen | undefined;
/** Whether the server answers over HTTP. */
let up: boolean;
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  heard = [];
  links = [];
  reasons = [];
  known = undefined;
  up = false;
  connection = new Connection(
    'ws://here/ws',
    { ...JOIN, codes: ['c0'] },
    {
      message: (message) => heard.push(message),
      link: (link, why) => {
        links.push(link);
        reasons.push(why);
      },
      seen: () => known,
      isServerUp: () => Promise.resolve(up),
    },
  );
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('joining', () => {
  it('sends the join first and is open with the welcome', () => {
    const socket = FakeSocket.last;
    expect(socket.address).toBe('ws://here/ws');
    socket.onopen?.();
    expect(socket.sent).toEqual([JOIN]);
    expect(links).toEqual(['connecting']);
    socket.say(WELCOME);
    expect(links).toEqual(['connecting', 'open']);
    expect(heard).toEqual([WELCOME]);
  });

  it('queues requests until the welcome', () => {
    connection.ask(ACT);
    FakeSocket.last.onopen?.();
    expect(FakeSocket.last.sent).toEqual([JOIN]);
    FakeSocket.last.say(WELCOME);
    expect(FakeSocket.last.sent).toEqual([JOIN, ACT]);
  });

  it('requests earlier positions only while it is open', () => {
    connection.look(1);
    FakeSocket.last.welcome();
    connection.look(2);
    expect(FakeSocket.last.sent).toEqual([JOIN, { type: 'look', seq: 2 }]);
  });

  it('requests only the last of several positions while one is awaited', () => {
    const socket = FakeSocket.last;
    socket.welcome();
    for (const seq of [5, 4, 3]) connection.look(seq);
    expect(socket.sent).toEqual([JOIN, { type: 'look', seq: 5 }]);
    socket.say({ type: 'past', frame: { ...FRAME, seq: 5 } });
    expect(socket.sent.slice(2)).toEqual([{ type: 'look', seq: 3 }]);
    socket.say({ type: 'error', message: 'Only 2 acts have been made.' });
    connection.look(1);
    connection.look(0);
    socket.lose();
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    connection.look(2);
    expect(FakeSocket.last.sent).toEqual([JOIN, { type: 'look', seq: 2 }]);
  });

  it.each([
    { type: 'history', lines: [] },
    { type: 'error', message: 'Not now.' },
  ] as ServerMessage[])('requests one page of earlier acts at a time, until $type', (answer) => {
    connection.history(501);
    const socket = FakeSocket.last;
    socket.welcome();
    connection.history(501);
    connection.history(501);
    expect(socket.sent).toEqual([JOIN, { type: 'history', before: 501 }]);
    socket.say(answer);
    connection.history(1);
    expect(socket.sent.slice(2)).toEqual([{ type: 'history', before: 1 }]);
  });

  it('requests a page again on another connection', () => {
    FakeSocket.last.welcome();
    connection.history(501);
    comeBack();
    connection.history(501);
    expect(FakeSocket.last.sent).toEqual([JOIN, { type: 'history', before: 501 }]);
  });

  it('joins again on the same socket when the table is requested again, and sends nothing twice', () => {
    FakeSocket.last.welcome();
    connection.ask(ACT);
    connection.rejoin();
    FakeSocket.last.say(WELCOME);
    expect(FakeSocket.last.sent).toEqual([JOIN, ACT, JOIN]);
    expect(links).toEqual(['connecting', 'open']);
  });
});

describe('what is in hand', () => {
  it('is shown while the connection is open, and not later', () => {
    connection.carry(0, 'b1');
    FakeSocket.last.welcome();
    connection.carry(0, 'b2');
    expect(FakeSocket.last.sent).toEqual([JOIN, { type: 'hold', seat: 0, what: 'b2' }]);
    FakeSocket.last.lose();
    connection.carry(0, null);
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.sent).toEqual([JOIN]);
  });
});

describe('coming back', () => {
  it('joins again by itself after a loss', () => {
    FakeSocket.last.welcome();
    FakeSocket.last.lose();
    expect(links).toEqual(['connecting', 'open', 'lost']);
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.sent).toEqual([JOIN]);
    expect(links.at(-1)).toBe('open');
  });

  it('sends what it has seen, and receives what it missed', () => {
    FakeSocket.last.welcome();
    connection.ask(ACT);
    FakeSocket.last.lose();
    known = { seq: 3, entry: 5 };
    vi.advanceTimersByTime(500);
    FakeSocket.last.onopen?.();
    FakeSocket.last.say(RESUMED);
    expect(FakeSocket.last.sent).toEqual([{ ...JOIN, seen: { seq: 3, entry: 5 } }, ACT]);
    expect(heard.at(-1)).toEqual(RESUMED);
    expect(links.at(-1)).toBe('open');
  });

  /** The time until the next attempt to connect. */
  function pause(): number {
    const sockets = FakeSocket.all.length;
    let waited = 0;
    while (FakeSocket.all.length === sockets) {
      vi.advanceTimersByTime(100);
      waited += 100;
    }
    return waited;
  }

  it('waits longer after every failure, to a limit, and starts small again after a success', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const waits: number[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      FakeSocket.last.lose();
      waits.push(pause());
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    FakeSocket.last.welcome();
    FakeSocket.last.lose();
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(9);
  });

  it('waits longer each time that the server closes the connection for a violation, until one is stable', () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const waits: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      FakeSocket.last.welcome();
      FakeSocket.last.lose(1008, 'Too many messages came at once.');
      waits.push(pause());
    }
    expect(waits).toEqual([4000, 8000, 10_000, 10_000]);
    FakeSocket.last.welcome();
    vi.advanceTimersByTime(30_000);
    FakeSocket.last.lose();
    expect(pause()).toBe(500);
  });

  it('reports why the server closed the connection, if it says so', () => {
    FakeSocket.last.lose();
    expect([links.at(-1), reasons.at(-1)]).toEqual(['lost', '']);
    connection.retry();
    FakeSocket.last.welcome();
    FakeSocket.last.lose(1008, 'Too many messages came at once.');
    expect([links.at(-1), reasons.at(-1)]).toEqual(['lost', 'Too many messages came at once.']);
    connection.retry();
    FakeSocket.last.welcome();
    expect([links.at(-1), reasons.at(-1)]).toEqual(['open', '']);
  });

  it('still reports why while it tries in vain', () => {
    FakeSocket.last.welcome();
    FakeSocket.last.lose(1012, 'The server is restarting.');
    connection.retry();
    FakeSocket.last.lose();
    expect([links.at(-1), reasons.at(-1)]).toEqual(['lost', 'The server is restarting.']);
    connection.retry();
    FakeSocket.last.welcome();
    FakeSocket.last.lose();
    expect(reasons.at(-1)).toBe('');
  });

  it('retries immediately on request, and instead of a socket that does not open', () => {
    FakeSocket.last.lose();
    connection.retry();
    expect(FakeSocket.all).toHaveLength(2);
    connection.retry();
    expect(FakeSocket.all.map(({ closed }) => closed)).toEqual([false, true, false]);
    FakeSocket.last.welcome();
    connection.retry();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(3);
  });

  it('is quick without turns: every third of a second, for a while', () => {
    FakeSocket.last.welcome(TOGETHER);
    const waits = Array.from({ length: 43 }, () => {
      const [began, { length }] = [Date.now(), FakeSocket.all];
      FakeSocket.last.lose();
      while (FakeSocket.all.length === length) vi.advanceTimersByTime(1);
      return Date.now() - began;
    });
    expect(Math.max(...waits.slice(0, 40))).toBeLessThanOrEqual(300);
    expect(Math.max(...waits.slice(40))).toBeGreaterThan(300);
  });

  it('ignores a socket that it has dropped', () => {
    const old = FakeSocket.last;
    old.welcome();
    connection.drop();
    expect(old.closed).toBe(true);
    expect(links).toEqual(['connecting', 'open', 'lost']);
    old.say({ type: 'error', message: 'late' });
    expect(heard).toEqual([WELCOME]);
  });

  it('stays away once it is closed', () => {
    FakeSocket.last.welcome();
    connection.close();
    connection.retry();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(links).toEqual(['connecting', 'open']);
  });
});

describe('a socket that does not come through', () => {
  /** A socket fails, and the next one is tried. */
  async function fail(): Promise<void> {
    FakeSocket.last.onopen?.();
    FakeSocket.last.lose();
    await vi.advanceTimersByTimeAsync(10_000);
  }

  it('is blocked if the server answers over HTTP, until it does come through', async () => {
    up = true;
    await fail();
    expect(reasons.at(-1)).toBe('');
    FakeSocket.last.lose();
    expect([links.at(-1), reasons.at(-1)]).toEqual(['lost', BLOCKED]);
    await vi.advanceTimersByTimeAsync(10_000);
    FakeSocket.last.welcome();
    expect([links.at(-1), reasons.at(-1)]).toEqual(['open', '']);
    FakeSocket.last.lose();
    expect(reasons.at(-1)).toBe('');
  });

  it('is not reported as blocked if the server is down, or has just come back', async () => {
    await fail();
    up = true;
    await fail();
    up = false;
    await fail();
    expect(reasons.at(-1)).toBe('');
    await fail();
    expect(reasons.at(-1)).toBe('');
  });

  it('is given up if nothing comes through it at all', async () => {
    up = true;
    await vi.advanceTimersByTimeAsync(25_000);
    expect(FakeSocket.all).toHaveLength(3);
    expect([FakeSocket.all[0]!.closed, reasons.at(-1)]).toEqual([true, BLOCKED]);
  });

  it('stays if the server has answered without a welcome', async () => {
    FakeSocket.last.onopen?.();
    FakeSocket.last.say({ type: 'error', message: 'No such table.' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe('acts', () => {
  it.each([{ type: 'ack', id: 'a1', seq: 1 } as const, REFUSED])(
    'are sent again under the same id until the answer $type',
    (answer) => {
      FakeSocket.last.welcome();
      connection.ask(ACT);
      for (let loss = 0; loss < 2; loss += 1) {
        comeBack(10_000);
        expect(FakeSocket.last.sent).toEqual([JOIN, ACT]);
      }
      FakeSocket.last.say(answer);
      comeBack(10_000);
      expect(FakeSocket.last.sent).toEqual([JOIN]);
    },
  );

  it('lapse after a while without turns, which the server decides', () => {
    const back = (wait: number, welcome: Welcome): ClientMessage => {
      FakeSocket.last.lose();
      connection.ask(ACT);
      vi.advanceTimersByTime(wait);
      connection.retry();
      FakeSocket.last.welcome(welcome);
      return FakeSocket.last.sent.at(-1)!;
    };
    FakeSocket.last.welcome();
    expect(back(3000, TOGETHER)).toEqual(ACT);
    expect(back(3001, TOGETHER)).toEqual({ ...ACT, lapsed: true });
    expect(back(8000, WELCOME)).toEqual(ACT);
  });

  it('say when they were made, by the last ping that was answered, without turns', () => {
    FakeSocket.last.welcome(TOGETHER);
    connection.ask(ACT);
    expect(FakeSocket.last.sent.at(-1)).toEqual(ACT);
    FakeSocket.last.say({ type: 'ping', number: 7 });
    vi.advanceTimersByTime(120);
    connection.ask(ACT);
    expect(FakeSocket.last.sent.at(-1)).toEqual({ ...ACT, made: [7, 120] });
    FakeSocket.last.lose();
    connection.ask(ACT);
    vi.advanceTimersByTime(300);
    FakeSocket.last.welcome(TOGETHER);
    expect(FakeSocket.last.sent.at(-1)).toEqual(ACT);
  });

  it('made while the connection is down are sent in their order when it is back', () => {
    FakeSocket.last.welcome();
    FakeSocket.last.lose();
    connection.ask(ACT);
    connection.ask({ type: 'undo', id: 'a2', to: 0 });
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.sent).toEqual([JOIN, ACT, { type: 'undo', id: 'a2', to: 0 }]);
  });

  it('show by a missing answer that the connection is dead', () => {
    FakeSocket.last.welcome();
    connection.ask(ACT);
    vi.advanceTimersByTime(9_999);
    expect(links.at(-1)).toBe('open');
    vi.advanceTimersByTime(1);
    expect(links.at(-1)).toBe('lost');
    vi.advanceTimersByTime(500);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.sent).toEqual([JOIN, ACT]);
  });

  it('that are answered leave an idle connection alone', () => {
    FakeSocket.last.welcome();
    connection.ask(ACT);
    FakeSocket.last.say(REFUSED);
    vi.advanceTimersByTime(60_000);
    expect(links.at(-1)).toBe('open');
  });
});

describe('the round trip to the server', () => {
  function answerAfter(milliseconds: number): void {
    const socket = FakeSocket.last;
    const { number } = socket.pings.at(-1)!;
    vi.advanceTimersByTime(milliseconds);
    socket.say({ type: 'pong', number });
  }

  it('is measured with the welcome and then every half minute; the median of five counts', () => {
    expect(connection.lag).toBeNull();
    FakeSocket.last.welcome();
    const lags = [40, 900, 60, 50, 45, 10, 20].map((way) => {
      answerAfter(way);
      vi.advanceTimersByTime(30_000 - way);
      return connection.lag;
    });
    expect(lags).toEqual([40, 900, 60, 60, 50, 50, 45]);
    expect(FakeSocket.last.pings).toHaveLength(8);
    expect(heard).toEqual([WELCOME]);
  });

  it('is not measured by an answer to an earlier ping', () => {
    FakeSocket.last.welcome();
    vi.advanceTimersByTime(30_000);
    FakeSocket.last.say({ type: 'pong', number: 1 });
    expect(connection.lag).toBeNull();
    answerAfter(70);
    expect(connection.lag).toBe(70);
  });

  it('is measured more often without turns, also by the server', () => {
    FakeSocket.last.welcome(TOGETHER);
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.last.pings).toHaveLength(5);
    FakeSocket.last.say({ type: 'ping', number: 3 });
    expect(FakeSocket.last.sent.at(-1)).toEqual({ type: 'pong', number: 3 });
  });

  it('is measured on the current connection', () => {
    FakeSocket.last.welcome();
    const first = FakeSocket.last;
    first.lose();
    vi.advanceTimersByTime(60_000);
    expect(first.pings).toHaveLength(1);
    FakeSocket.last.welcome();
    expect(FakeSocket.last.pings).toEqual([{ type: 'ping', number: 2 }]);
    connection.close();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.last.pings).toHaveLength(1);
  });
});
