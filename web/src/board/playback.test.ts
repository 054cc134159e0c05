import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Frame, View } from '../wire';
import { Playback, type Scene } from './playback.svelte';

const SCENE: Scene = { milliseconds: 250 };

function frame(seq: number): Frame {
  return { seq, line: null, view: {} as View, legal: {} };
}

let now = 0;
let ticks = new Map<number, FrameRequestCallback>();

/** Advances the time in frames of ten milliseconds. */
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
  vi.stubGlobal('cancelAnimationFrame', (tick: number) => ticks.delete(tick));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('Playback', () => {
  it('plays the scene that leads to the next frame', () => {
    const first = frame(0);
    const playback = new Playback(first, () => SCENE);
    playback.follow(frame(1));
    expect(playback.shown.seq).toBe(1);
    expect(playback.scene).toBe(SCENE);
    expect(playback.before).toBe(first);
    expect(playback.elapsed).toBe(0);
    pass(120);
    expect(playback.elapsed).toBe(120);
    pass(SCENE.milliseconds);
    expect(playback.scene).toBeNull();
    expect(playback.before).toBeNull();
  });

  it('shows acts in quick succession one after the other', () => {
    const playback = new Playback(frame(0), () => SCENE);
    const third = frame(3);
    for (const next of [frame(1), frame(2), third]) playback.follow(next);
    expect(playback.shown.seq).toBe(1);
    pass(SCENE.milliseconds + 10);
    expect(playback.shown.seq).toBe(2);
    pass(2 * SCENE.milliseconds + 20);
    expect(playback.shown).toBe(third);
    expect(playback.scene).toBeNull();
  });

  it('lets the end of a scene last before the next act', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const playback = new Playback(frame(0), () => ({ ...SCENE, lasting: 500 }));
    playback.follow(frame(1));
    pass(SCENE.milliseconds + 10);
    expect(playback.scene).toBeNull();
    playback.follow(frame(2));
    playback.follow(frame(3));
    expect(playback.shown.seq).toBe(1);
    pass(500);
    vi.advanceTimersByTime(500);
    expect(playback.shown.seq).toBe(2);
    playback.finish();
    expect(playback.shown.seq).toBe(3);
    vi.useRealTimers();
  });

  it('jumps to a frame that is not the next one', () => {
    const playback = new Playback(frame(4), () => SCENE);
    playback.follow(frame(5));
    playback.follow(frame(2));
    expect(playback.shown.seq).toBe(2);
    expect(playback.scene).toBeNull();
    pass(1000);
    expect(playback.shown.seq).toBe(2);
  });

  it('shows frames without a scene immediately', () => {
    const playback = new Playback(frame(0), () => null);
    playback.follow(frame(1));
    playback.follow(frame(2));
    expect(playback.shown.seq).toBe(2);
    expect(playback.scene).toBeNull();
  });

  it('finishes with the newest frame, and passes each that follows', () => {
    const passed: number[] = [];
    const playback = new Playback(
      frame(0),
      () => SCENE,
      undefined,
      ({ seq }) => passed.push(seq),
    );
    playback.follow(frame(1));
    playback.follow(frame(2));
    expect(passed).toEqual([1]);
    playback.finish();
    expect(passed).toEqual([1, 2]);
    playback.jump(frame(7));
    expect(passed).toEqual([1, 2]);
    playback.jump(frame(2));
    expect(playback.shown.seq).toBe(2);
    expect(playback.scene).toBeNull();
  });

  it('reports each effect once, when it becomes visible', () => {
    const seen: string[] = [];
    const acted = (seq: number): Frame => {
      const effects = ['lands', 'falls'].map((kind) => ({ kind, spaces: [], value: seq }));
      return { ...frame(seq), line: { seq, seat: 0, text: 'x', effects } };
    };
    const scene = { milliseconds: 250, times: { lands: [100] } };
    const playback = new Playback<Scene>(
      frame(0),
      () => scene,
      (_, effects) => seen.push(effects.map(({ kind }) => kind).join() || 'begins'),
    );
    playback.follow(acted(1));
    pass(90);
    expect(seen).toEqual(['begins']);
    pass(20);
    expect(seen).toEqual(['begins', 'lands']);
    pass(300);
    expect(seen).toEqual(['begins', 'lands', 'falls']);
    playback.follow(acted(2));
    playback.finish();
    expect(seen.slice(3)).toEqual(['begins', 'lands', 'falls']);
    playback.follow(acted(3));
    playback.jump(frame(0));
    pass(300);
    expect(seen).toHaveLength(6);
  });

  it('plans a scene for the previous and the next frame', () => {
    const plan = vi.fn(() => null);
    const [first, second] = [frame(7), frame(8)];
    new Playback(first, plan).follow(second);
    expect(plan).toHaveBeenCalledWith(first, second);
  });
});
