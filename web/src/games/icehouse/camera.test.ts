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

  it('enlarges round the point that the mouse is on', () => {
    const before = camera.spotAt(200, 120);
    camera.zoomBy(2, 200, 120);
    expect(camera.scale).toBeCloseTo(0.1);
    const after = camera.spotAt(200, 120);
    expect([after.x, after.y]).toEqual([expect.closeTo(before.x), expect.closeTo(before.y)]);
  });

  it('keeps within bounds', () => {
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

  it('follows what would leave the picture', () => {
    camera.zoomBy(4);
    camera.follow({ x: 11_000, y: 7000 });
    const { x, y } = camera.pixelAt({ x: 11_000, y: 7000 });
    expect(x).toBeLessThanOrEqual(626);
    expect(y).toBeGreaterThanOrEqual(0);
  });
});

describe('a field that is larger than what two need', () => {
  const layout = { ...LAYOUT, width: 24_000, height: 24_000, colours: LAYOUT.colours.slice(0, 2) };
  const large = () => {
    const made = new Camera(
      () => layout,
      () => turn,
    );
    made.width = made.height = 600;
    return made;
  };
  const isSeen = (seen: Camera, x: number, y: number) => {
    const { x: left, y: top } = seen.pixelAt({ x, y });
    return left >= 0 && top >= 0 && left <= 600 && top <= 600;
  };

  it('is shown in part, by the number of players', () => {
    const sides = [2, 3, 4, 5, 8].map((players) => {
      return inPlay({ ...layout, colours: Array.from({ length: players }, () => 'red' as const) }, []).width;
    });
    expect(sides).toEqual([15_000, 18_000, 18_000, 24_520, 24_520]);
    expect(inPlay({ ...layout, width: 12_000 }, [])).toEqual({ x: 6000, y: 12_000, width: 12_520, height: 15_000 });
  });

  it('is shown as far as pieces lie, and no further', () => {
    const seen = large();
    expect(isSeen(seen, 22_000, 12_000)).toBe(false);
    seen.frame([{ x: 22_000, y: 12_000 }], false);
    expect(isSeen(seen, 22_000, 12_000)).toBe(true);
    expect(seen.scale).toBeCloseTo(600 / 15_000);
    seen.frame(
      [
        { x: 22_000, y: 12_000 },
        { x: 400, y: 400 },
      ],
      false,
    );
    expect(seen.scale).toBeCloseTo(600 / 24_260);
  });

  it('is not moved under whoever has chosen what to see, until they let it', () => {
    const seen = large();
    seen.zoomBy(2);
    const { box } = seen;
    seen.frame([{ x: 400, y: 400 }], false);
    expect(seen.box).toBe(box);
    expect(seen.follows).toBe(false);
    seen.showAll();
    expect(seen.follows).toBe(true);
    seen.frame([{ x: 600, y: 400 }], false);
    expect(isSeen(seen, 600, 400)).toBe(true);
    seen.showAll();
    expect(seen.zoom).toBe(1);
  });

  it('comes along with what is looked at by keys, and still follows the play', () => {
    const seen = large();
    seen.follow({ x: 600, y: 12_000 });
    expect(isSeen(seen, 600, 12_000)).toBe(true);
    expect(seen.follows).toBe(true);
  });
});

describe('a turned field', () => {
  it('is fitted into the picture as it is seen', () => {
    turn = 1;
    expect(camera.scale).toBeCloseTo(426 / 12_520);
    // What was on the right is above.
    const above = camera.pixelAt({ x: 12_000, y: 4000 });
    expect([above.x, above.y]).toEqual([expect.closeTo(313), expect.closeTo(260 * camera.scale)]);
  });

  it.each([0, 1, 2, 3])('knows places and ways: %i', (quarters) => {
    turn = quarters;
    camera.zoomBy(3, 100, 300);
    const { x, y } = camera.spotAt(40, 50);
    const back = camera.pixelAt({ x, y });
    expect([back.x, back.y]).toEqual([expect.closeTo(40), expect.closeTo(50)]);
    const way = camera.wayOf(7 / camera.scale, 5 / camera.scale);
    const there = camera.pixelAt({ x: x + way.x, y: y + way.y });
    expect([there.x, there.y]).toEqual([expect.closeTo(47), expect.closeTo(45)]);
    camera.pan(-11, 4);
    const moved = camera.pixelAt({ x, y });
    expect([moved.x, moved.y]).toEqual([expect.closeTo(29), expect.closeTo(54)]);
  });
});
