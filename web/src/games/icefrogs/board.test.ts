import { describe, expect, it } from 'vitest';
import type { Look } from '../../pieces/projection';
import type { Seat } from '../../wire';
import { positionAt } from '../../board/flight';
import { tipHeight, type Box } from '../../board/spaces';
import type { Space } from './wire';
import { arrange, facing, frameOf, noteSpot, place, spaceAt, spot, turned } from './board';
import { planFlight } from './flight';

const BOARDS = { star: [1, 2, 7, 6, 5, 6, 7, 2, 1], hexagon: [4, 5, 6, 7, 6, 5, 4] };
const POINTS = { star: ['a1', 'c7', 'g7', 'i1', 'g1', 'c1'], hexagon: ['a1', 'a4', 'd7', 'g4', 'g1', 'd1'] };
const PLACES: Record<number, number[]> = {
  2: [0, 3],
  3: [0, 2, 4],
  4: [0, 1, 3, 4],
  5: [0, 1, 2, 3, 4],
  6: [0, 1, 2, 3, 4, 5],
};
const LOOKS: Look[] = ['iso', 'top'];

function spaces(board: keyof typeof BOARDS, players: number): Space[] {
  const starts = PLACES[players]!.map((i) => POINTS[board][i]);
  return BOARDS[board].flatMap((count, y) =>
    Array.from({ length: count }, (_, i): Space => {
      const name = `${'abcdefghi'[y]}${i + 1}`;
      const seat = starts.indexOf(name);
      return { name, x: 2 * i - count + 1, y, start: seat < 0 ? null : seat };
    }),
  );
}

const STAR = spaces('star', 2);

function named(name: string): Space {
  return STAR.find((space) => space.name === name)!;
}

describe('the picture', () => {
  it('shows neighbours equally far apart from above', () => {
    const from = spot(named('e3'));
    for (const name of ['e2', 'e4', 'd3', 'd4', 'f3', 'f4']) {
      const to = spot(named(name));
      expect(Math.hypot(to.x - from.x, to.y - from.y)).toBeCloseTo(104);
    }
  });

  it.each(LOOKS)('shows far rows higher (%s)', (look) => {
    expect(place(named('i1'), look).y).toBeLessThan(place(named('a1'), look).y);
  });

  it.each(LOOKS)('finds the space under a point (%s)', (look) => {
    for (const space of STAR) {
      const { x, y } = place(space, look);
      expect(spaceAt(STAR, look, { x: x + 20, y: y - 15 })?.name).toBe(space.name);
    }
    const { x, y, width } = frameOf(STAR, look);
    expect(spaceAt(STAR, look, { x: x + width, y })).toBeNull();
  });
});

describe('arrange', () => {
  const rooms: [width: number, height: number][] = [
    [374, 580],
    [360, 420],
    [1040, 760],
    [760, 1000],
  ];
  const cases = (['star', 'hexagon'] as const).flatMap((board) =>
    [2, 3, 4, 5, 6].flatMap((players) =>
      LOOKS.flatMap((look) => rooms.map((room) => ({ board, players, look, room }))),
    ),
  );

  it.each(cases)('keeps $board for $players in $room ($look) off the supplies', ({ board, players, look, room }) => {
    const all = spaces(board, players);
    const { picture, supplies } = arrange(...room, all, look);
    expect(supplies).toHaveLength(players);
    const box = frameOf(all, look);
    const scale = picture.width / box.width;
    for (const supply of supplies) {
      expect(inside(supply, room)).toBe(true);
      for (const other of supplies) if (other !== supply) expect(apart(supply, other)).toBe(true);
      for (const space of all) {
        const { x, y } = place(space, look);
        const at = { x: picture.x + (x - box.x) * scale, y: picture.y + (y - box.y) * scale };
        expect(apart(supply, { ...at, width: 0, height: 0 })).toBe(true);
      }
    }
    expect(inside(picture, room)).toBe(true);
  });

  it('uses the whole width of a phone for two', () => {
    for (const look of LOOKS) expect(arrange(374, 580, STAR, look).picture.width).toBeCloseTo(374);
  });

  it('keeps spaces on a phone at least 36 pixels apart', () => {
    const { picture } = arrange(374, 580, STAR, 'iso');
    const scale = picture.width / frameOf(STAR, 'iso').width;
    const [a, b] = [place(named('e3'), 'iso'), place(named('f3'), 'iso')];
    expect(Math.hypot(a.x - b.x, a.y - b.y) * scale).toBeGreaterThan(36);
  });

  it('puts supplies near their start spaces', () => {
    const { supplies } = arrange(1040, 760, STAR, 'iso');
    expect(supplies[0]!.y).toBeGreaterThan(supplies[1]!.y);
    const { supplies: corners } = arrange(374, 580, spaces('hexagon', 2), 'iso');
    expect(corners[0]!.y).toBeGreaterThan(corners[1]!.y);
  });

  it('puts the caption of a space off that space and off the supplies', () => {
    for (const { board, players, look, room } of cases) {
      const all = spaces(board, players);
      const { picture, supplies } = arrange(...room, all, look);
      const [width, height] = room;
      const box = frameOf(all, look);
      const scale = picture.width / box.width;
      for (const space of all) {
        const { x, y } = place(space, look);
        const at = { x: picture.x + (x - box.x) * scale, y: picture.y + (y - box.y) * scale };
        const { right, bottom, inset } = noteSpot({ width, height }, supplies, at);
        const note = { x: right ? width - 110 : 0, y: bottom ? height - inset - 80 : inset, width: 110, height: 80 };
        expect(inside(note, room)).toBe(true);
        expect(apart(note, { x: at.x - 8, y: at.y - 8, width: 16, height: 16 })).toBe(true);
        for (const supply of supplies) expect(apart(note, supply)).toBe(true);
      }
    }
  });
});

function inside(box: Box, [width, height]: [number, number]): boolean {
  return box.x >= -1e-6 && box.y >= -1e-6 && box.x + box.width <= width + 1e-6 && box.y + box.height <= height + 1e-6;
}

function apart(a: Box, b: Box): boolean {
  const before = (p: number, q: number) => p <= q + 0.01;
  const across = before(a.x + a.width, b.x) || before(b.x + b.width, a.x);
  return across || before(a.y + a.height, b.y) || before(b.y + b.height, a.y);
}

describe('turned', () => {
  const layouts = (['star', 'hexagon'] as const).flatMap((board) =>
    [2, 3, 4, 5, 6].map((players) => ({ board, spaces: spaces(board, players) })),
  );

  it('maps spaces to spaces, and neighbours to neighbours', () => {
    const layout = { board: 'star' as const, spaces: STAR };
    const places = ({ spaces }: { spaces: Space[] }) => spaces.map(({ x, y }) => `${x},${y}`).sort();
    for (let turn = 0; turn < 6; turn++) expect(places(turned(layout, turn))).toEqual(places(layout));
    const corners = ['a1', 'c7', 'g7', 'i1', 'g1', 'c1'];
    const once = turned(layout, 1).spaces;
    for (const [i, name] of corners.entries()) {
      const { x, y } = named(corners[(i + 1) % 6]!);
      expect(once.find((space) => space.name === name)).toMatchObject({ x, y });
    }
    expect(turned(layout, 6)).toEqual(layout);
  });

  it.each(layouts)('puts the start space of any seat of a $board lowest', ({ board, spaces }) => {
    for (const { start } of spaces) {
      if (start === null) continue;
      const rotated = turned({ board, spaces }, facing({ board, spaces }, start)).spaces;
      const lowest = Math.min(...rotated.map(({ y }) => y));
      expect(rotated.find((space) => space.start === start)!.y).toBe(lowest);
    }
    expect(facing({ board, spaces }, 0)).toBe(0);
  });
});

describe('planFlight', () => {
  const person = { kind: 'person', level: null, mine: true, gone: false } as const;
  const seats = ['red', 'blue'].map((colour, seat): Seat => ({ ...person, seat, name: colour, colour }));
  const before = { stacks: { b2: ['1L', '0S'], c5: ['1M'], c3: ['0S'] } };
  const fly = (text: string, path: string[]) =>
    planFlight(before, { seq: 1, seat: 0, text, effects: [{ kind: 'path', spaces: path, value: '0S' }] }, STAR, seats);

  it('moves the top pyramid from its height to that of its new place', () => {
    const flight = fly('b2-c5', ['b2', 'c5'])!;
    expect(flight.piece).toEqual({ size: 'S', colour: 'red' });
    expect(flight.to).toBe('c5');
    const start = positionAt(flight.legs, 0);
    const end = positionAt(flight.legs, flight.milliseconds);
    expect(start).toMatchObject(spot(named('b2')));
    expect(start.z).toBeGreaterThan(40);
    expect(end).toMatchObject({ ...spot(named('c5')), air: 0 });
    expect(end.z).toBeGreaterThan(0);
    expect(end.z).toBeLessThan(start.z);
  });

  it('rises over the stack it hops over, and enters from the start space', () => {
    const flight = fly('M@c5', ['a1', 'c5'])!;
    expect(flight.piece).toEqual({ size: 'M', colour: 'red' });
    const middle = positionAt(flight.legs, flight.milliseconds / 2);
    expect(middle.x).toBeCloseTo(spot(named('b2')).x);
    expect(middle.y).toBeCloseTo(spot(named('b2')).y);
    expect(middle.z).toBeGreaterThan(
      tipHeight([
        { size: 'L', colour: 'blue' },
        { size: 'S', colour: 'red' },
      ]),
    );
  });

  it('stays near the ice on a step', () => {
    const flight = fly('c3-c4', ['c3', 'c4'])!;
    expect(positionAt(flight.legs, flight.milliseconds / 2).z).toBeLessThan(20);
  });

  it('moves leg by leg without a jump', () => {
    const flight = fly('b2-d4', ['b2', 'd6', 'd4'])!;
    expect(flight.legs).toHaveLength(2);
    let last = positionAt(flight.legs, 0);
    for (let t = 0; t <= flight.milliseconds; t += 4) {
      const now = positionAt(flight.legs, t);
      expect(Math.hypot(now.x - last.x, now.y - last.y, now.z - last.z)).toBeLessThan(16);
      last = now;
    }
  });

  it('is null after a pass', () => {
    expect(planFlight(before, { seq: 1, seat: 0, text: 'pass', effects: [] }, STAR, seats)).toBeNull();
  });
});
