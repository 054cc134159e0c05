import { beforeEach, describe, expect, it } from 'vitest';
import { Camera } from './camera.svelte';
import { LAYOUT } from './fixtures';

let camera: Camera;

beforeEach(() => {
  camera = new Camera(() => LAYOUT);
  camera.width = 626;
  camera.height = 426;
});

describe('Camera', () => {
  it('shows the whole field with a margin', () => {
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
