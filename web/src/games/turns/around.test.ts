import { describe, expect, it } from 'vitest';
import type { Look } from '../../pieces/projection';
import type { Box } from '../../board/spaces';
import { arrange, noteSpot, zonesOf } from './around';
import { planOf, type Plan } from './board';
import { pond } from './fixtures';
import type { Layout } from './wire';

const LOOKS: Look[] = ['iso', 'top'];
const ROOMS = [
  { width: 374, height: 580 },
  { width: 360, height: 420 },
  { width: 1040, height: 760 },
  { width: 760, height: 1000 },
];
const BOARDS = (['star', 'hexagon'] as const).flatMap((shape) =>
  [2, 3, 4, 5, 6].map((players) => ({ shape, players, layout: pond(shape, players) })),
);
const CASES = BOARDS.flatMap((board) => LOOKS.flatMap((look) => ROOMS.map((room) => ({ ...board, look, room }))));

/** The plan and the arrangement of a board in a room, with the middles of the spaces there. */
function arranged(layout: Layout, players: number, look: Look, room: (typeof ROOMS)[number]) {
  const plan: Plan = planOf(layout, look, 0);
  const { picture, pads } = arrange(room, plan, zonesOf(layout, plan, players));
  const scale = picture.width / plan.box.width;
  const middles = plan.rows.flat().map((space) => {
    const { x, y } = plan.place(space);
    return { name: space.name, x: picture.x + (x - plan.box.x) * scale, y: picture.y + (y - plan.box.y) * scale };
  });
  return { picture, pads, middles };
}

function inside(box: Box, { width, height }: { width: number; height: number }): boolean {
  return box.x >= -1e-6 && box.y >= -1e-6 && box.x + box.width <= width + 1e-6 && box.y + box.height <= height + 1e-6;
}

function apart(a: Box, b: Box): boolean {
  const before = (p: number, q: number) => p <= q + 0.01;
  const across = before(a.x + a.width, b.x) || before(b.x + b.width, a.x);
  return across || before(a.y + a.height, b.y) || before(b.y + b.height, a.y);
}

describe('pads around a board', () => {
  it.each(CASES)('cover no space of a $shape for $players in $room ($look)', ({ layout, players, look, room }) => {
    const { picture, pads, middles } = arranged(layout, players, look, room);
    expect(pads).toHaveLength(players);
    expect(inside(picture, room)).toBe(true);
    for (const pad of pads) {
      expect(inside(pad, room)).toBe(true);
      for (const other of pads) if (other !== pad) expect(apart(pad, other)).toBe(true);
      for (const { x, y } of middles) expect(apart(pad, { x, y, width: 0, height: 0 })).toBe(true);
    }
    for (const { x, y } of middles) {
      const { right, bottom, inset } = noteSpot(room, pads, { x, y });
      const left = right ? room.width - 110 : 0;
      const note = { x: left, y: bottom ? room.height - inset - 80 : inset, width: 110, height: 80 };
      expect(inside(note, room)).toBe(true);
      expect(apart(note, { x: x - 8, y: y - 8, width: 16, height: 16 })).toBe(true);
      for (const pad of pads) expect(apart(note, pad)).toBe(true);
    }
  });

  it.each(LOOKS)('leave two players the whole width of a phone, and spaces far enough apart (%s)', (look) => {
    const { picture, middles } = arranged(pond(), 2, look, ROOMS[0]!);
    expect(picture.width).toBeCloseTo(374);
    const [a, b] = ['e3', 'f3'].map((name) => middles.find((space) => space.name === name)!);
    expect(Math.hypot(a!.x - b!.x, a!.y - b!.y)).toBeGreaterThan(look === 'iso' ? 36 : 40);
  });

  it.each(BOARDS)('stand near the zones of their seats on a $shape for $players', ({ layout, players }) => {
    const { pads } = arranged(layout, players, 'iso', ROOMS[2]!);
    expect(Math.max(...pads.map(({ y }) => y))).toBe(pads[0]!.y);
  });
});
