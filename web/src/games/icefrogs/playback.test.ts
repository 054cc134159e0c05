import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Frame, View } from '../../wire';
import { duration, type Flight } from './flight';
import { Playback } from './playback.svelte';

const SPOT = { x: 0, y: 0, z: 0, lean: 0 };
const FLIGHT: Flight = {
  piece: { size: 'S', colour: 'red' },
  to: 'b1',
  legs: [{ from: SPOT, to: { ...SPOT, x: 104 }, arc: 10, milliseconds: 250 }],
};

function frame(seq: number): Frame {
  return { seq, line: null, view: {} as View, legal: {} };
}

let now = 0;
let ticks = new Map<number, FrameRequestCallback>();

/** Lets so many milliseconds pass in frames of ten. */
function pass(milliseconds: number): void {
  for (let left = milliseconds; left > 0; left -= 10) {
    now += 10;
    const due = [...ticks.values()];
    ticks = new Map();
    for (const tick of due) tick(now);
  }
}

beforeEach(() => {
  let id = 0;
  ticks = new Map();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal('requestAnimationFrame', (tick: FrameRequestCallback) => {
    ticks.set(++id, tick);
    return id;
  });
  vi.stubGlobal('cancelAnimationFrame', (one: number) => ticks.delete(one));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('Playback', () => {
  it('flies to the next frame', () => {
    const playback = new Playback(frame(0), () => FLIGHT);
    playback.follow(frame(1));
    expect(playback.shown.seq).toBe(1);
    expect(playback.position).toMatchObject({ x: 0 });
    pass(duration(FLIGHT) / 2);
    expect(playback.position?.x).toBeGreaterThan(40);
    pass(duration(FLIGHT));
    expect(playback.flight).toBeNull();
    expect(playback.position).toBeNull();
  });

  it('shows acts in quick succession one after the other', () => {
    const playback = new Playback(frame(0), () => FLIGHT);
    const third = frame(3);
    for (const next of [frame(1), frame(2), third]) playback.follow(next);
    expect(playback.shown.seq).toBe(1);
    pass(duration(FLIGHT) + 10);
    expect(playback.shown.seq).toBe(2);
    pass(2 * duration(FLIGHT) + 20);
    expect(playback.shown).toBe(third);
    expect(playback.flight).toBeNull();
  });

  it('goes at once to a frame that is not the next one', () => {
    const playback = new Playback(frame(4), () => FLIGHT);
    playback.follow(frame(5));
    playback.follow(frame(2));
    expect(playback.shown.seq).toBe(2);
    expect(playback.flight).toBeNull();
    pass(1000);
    expect(playback.shown.seq).toBe(2);
  });

  it('shows frames without a flight at once', () => {
    const playback = new Playback(frame(0), () => null);
    playback.follow(frame(1));
    playback.follow(frame(2));
    expect(playback.shown.seq).toBe(2);
    expect(playback.flight).toBeNull();
  });

  it('finishes with the newest frame', () => {
    const playback = new Playback(frame(0), () => FLIGHT);
    playback.follow(frame(1));
    playback.follow(frame(2));
    playback.finish();
    expect(playback.shown.seq).toBe(2);
    expect(playback.flight).toBeNull();
  });

  it('is told the frame before and the next one', () => {
    const plan = vi.fn(() => null);
    const [first, second] = [frame(7), frame(8)];
    new Playback(first, plan).follow(second);
    expect(plan).toHaveBeenCalledWith(first, second);
  });
});
