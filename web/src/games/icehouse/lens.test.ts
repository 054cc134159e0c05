import { describe, expect, it } from 'vitest';
import { Camera } from './camera.svelte';
import { LAYOUT } from './fixtures';
import { boxAround, cornerFor, isSmall, sizeOf } from './lens';

const PHONE = { width: 370, height: 380 };
const UPPER_LEFT = { right: false, bottom: false };

describe('the magnifier', () => {
  it('is for small pictures', () => {
    expect(isSmall(PHONE)).toBe(true);
    expect(isSmall({ width: 900, height: 370 })).toBe(true);
    expect(isSmall({ width: 900, height: 800 })).toBe(false);
  });

  it('magnifies a spot by two and a half', () => {
    const camera = new Camera(() => LAYOUT);
    [camera.width, camera.height] = [370, 380];
    const spot = { x: 3000, y: 2000 };
    const [x, y, width, height] = boxAround(camera, spot).split(' ').map(Number) as [number, number, number, number];
    expect(x + width / 2).toBeCloseTo(spot.x);
    expect(y + height / 2).toBeCloseTo(LAYOUT.height - spot.y);
    expect(width).toBe(height);
    expect(sizeOf(camera) / width).toBeCloseTo(2.5 * camera.scale);
  });

  it('stays away from the finger and the piece, and moves only if it has to', () => {
    const below = [
      { x: 200, y: 350 },
      { x: 200, y: 290 },
    ];
    expect(cornerFor(UPPER_LEFT, PHONE, below)).toEqual(UPPER_LEFT);
    expect(cornerFor({ right: true, bottom: true }, PHONE, below).bottom).toBe(false);
    const above = [
      { x: 60, y: 120 },
      { x: 90, y: 60 },
    ];
    const moved = cornerFor(UPPER_LEFT, PHONE, above);
    expect(moved).toEqual({ right: true, bottom: true });
    expect(cornerFor(moved, PHONE, [{ x: 150, y: 150 }])).toEqual(moved);
  });
});
