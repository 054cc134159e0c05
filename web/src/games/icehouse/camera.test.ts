import { beforeEach, describe, expect, it } from 'vitest';
import { Camera } from './camera.svelte';
import { LAYOUT } from './fixtures';
import { inPlay } from './framing';

let camera: Camera;
let turn: number;

beforeEach(() => {
  turn = 0;
  camera = new Camera(
    () => LAYOUT,
    () => turn,
  );
  camera.width = 626;
  camera.height = 426;
});

describe('Camera', () => {
  it('shows the whole of a small field with a margin', () => {
    expect(camera.scale).toBeCloseTo(0.05);
    expect(camera.spotAt(313, 213)).toEqual({ x: 6000, y: 4000 });
    expect(camera.pixelAt({ x: 0, y: 0 })).toEqual({ x: 13, y: 413 });
  });

  it('zooms around the mouse', () => {
    const before = camera.spotAt(200, 120);
    camera.zoomBy(2, 200, 120);
    expect(camera.scale).toBeCloseTo(0.1);
    const after = camera.spotAt(200, 120);
    expect([after.x, after.y]).toEqual([expect.closeTo(before.x), expect.closeTo(before.y)]);
  });

  it('stays within bounds', () => {
    camera.zoomBy(0.1);
    expect(camera.zoom).toBe(1);
    camera.zoomBy(1000);
    expect(camera.zoom).toBe(10);
    camera.pan(1e6, 1e6);
    expect(camera.spotAt(0, 0).x).toBeCloseTo(-260);
    expect(camera.spotAt(0, 0).y).toBeCloseTo(8260);
    camera.showAll();
    expect(camera.middle).toEqual({ x: 6000, y: 4000 });
  });

  it('follows a spot that would leave the picture', () => {
    camera.zoomBy(4);
    camera.follow({ x: 11_000, y: 7000 });
    const { x, y } = camera.pixelAt({ x: 11_000, y: 7000 });
    expect(x).toBeLessThanOrEqual(626);
    expect(y).toBeGreaterThanOrEqual(0);
  });
});

describe('a field that is too large for two', () => {
  const layout = { ...LAYOUT, width: 24_000, height: 24_000, colours: LAYOUT.colours.slice(0, 2) };
  const large = () => {
    const wide = new Camera(
      () => layout,
      () => turn,
    );
    wide.width = wide.height = 600;
    return wide;
  };
  const isVisible = (camera: Camera, x: number, y: number) => {
    const { x: left, y: top } = camera.pixelAt({ x, y });
    return left >= 0 && top >= 0 && left <= 600 && top <= 600;
  };

  it('is shown in part, depending on the number of players', () => {
    const sides = [2, 3, 4, 5, 8].map((players) => {
      return inPlay({ ...layout, colours: Array.from({ length: players }, () => 'red' as const) }, []).width;
    });
    expect(sides).toEqual([15_000, 18_000, 18_000, 24_520, 24_520]);
    expect(inPlay({ ...layout, width: 12_000 }, [])).toEqual({ x: 6000, y: 12_000, width: 12_520, height: 15_000 });
  });

  it('is shown whole at first, and stays where it is', () => {
    const wide = large();
    const { box } = wide;
    for (const corner of [0, 24_000]) expect(isVisible(wide, corner, corner)).toBe(true);
    wide.frame([{ x: 22_000, y: 12_000 }], true);
    expect([wide.box, wide.follows]).toEqual([box, false]);
  });

  it('is shown as far as there are pieces, if the user wants to see what is in play', () => {
    const wide = large();
    wide.showAll();
    expect(isVisible(wide, 22_000, 12_000)).toBe(false);
    wide.frame([{ x: 22_000, y: 12_000 }], false);
    expect(isVisible(wide, 22_000, 12_000)).toBe(true);
    expect(wide.scale).toBeCloseTo(600 / 15_000);
    wide.frame(
      [
        { x: 22_000, y: 12_000 },
        { x: 400, y: 400 },
      ],
      false,
    );
    expect(wide.scale).toBeCloseTo(600 / 24_260);
  });

  it('stays where the user has put it until released', () => {
    const wide = large();
    wide.zoomBy(2);
    const { box } = wide;
    wide.frame([{ x: 400, y: 400 }], false);
    expect(wide.box).toBe(box);
    expect(wide.follows).toBe(false);
    wide.showAll();
    expect(wide.follows).toBe(true);
    wide.frame([{ x: 600, y: 400 }], false);
    expect(isVisible(wide, 600, 400)).toBe(true);
    wide.showAll();
    expect(wide.zoom).toBe(1);
  });

  it('shows the spot chosen by keys, and still follows play', () => {
    const wide = large();
    wide.showAll();
    wide.follow({ x: 600, y: 12_000 });
    expect(isVisible(wide, 600, 12_000)).toBe(true);
    expect(wide.follows).toBe(true);
  });
});

describe('a turned field', () => {
  it('fits into the picture', () => {
    turn = 1;
    expect(camera.scale).toBeCloseTo(426 / 12_520);
    // The right side is now at the top.
    const above = camera.pixelAt({ x: 12_000, y: 4000 });
    expect([above.x, above.y]).toEqual([expect.closeTo(313), expect.closeTo(260 * camera.scale)]);
  });

  it.each([0, 1, 2, 3])('converts spots and offsets: %i', (quarters) => {
    turn = quarters;
    camera.zoomBy(3, 100, 300);
    const { x, y } = camera.spotAt(40, 50);
    const back = camera.pixelAt({ x, y });
    expect([back.x, back.y]).toEqual([expect.closeTo(40), expect.closeTo(50)]);
    const offset = camera.offset(7 / camera.scale, 5 / camera.scale);
    const there = camera.pixelAt({ x: x + offset.x, y: y + offset.y });
    expect([there.x, there.y]).toEqual([expect.closeTo(47), expect.closeTo(45)]);
    camera.pan(-11, 4);
    const moved = camera.pixelAt({ x, y });
    expect([moved.x, moved.y]).toEqual([expect.closeTo(29), expect.closeTo(54)]);
  });
});
