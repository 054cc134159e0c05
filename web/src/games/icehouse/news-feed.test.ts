import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FIELD, LAYOUT, line, SEATS, view } from './fixtures';
import { NewsFeed } from './news-feed.svelte';
import type { Line } from './wire';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const FRAME = { seq: 6, line: null, view: view(), legal: {} };

/** The news after an act on the field of the fixtures. */
function after(act: Line): NewsFeed {
  const feed = new NewsFeed(FRAME, FIELD);
  feed.handle({ ...FRAME, seq: 7, line: act }, FIELD, LAYOUT, SEATS);
  return feed;
}

it.each([
  ['one’s own that is iced', line('place 1,1 point 0.0', 1, 'ices p1'), 'Iced!', ['p1']],
  ['one that is captured', line('capture p4', 0, 'captures p4 S:green'), 'Captured', ['p4']],
  ['those sent back', line('meltdown green', 0, 'melts p3,p4 green'), 'Meltdown!', ['p3', 'p4']],
  ['one that crashes', line('place 500,600 stand 0.0', 1, 'crashes green S:green'), 'Crash!', ['']],
])('tells of %s, and marks it for some seconds', (_, act, title, ids) => {
  const feed = after(act);
  expect(feed.scenes.map((scene) => scene.title)).toEqual([title]);
  expect(feed.losses.map(({ id }) => id)).toEqual(ids);
  vi.advanceTimersByTime(3000);
  expect(feed.losses).toHaveLength(ids.length);
  vi.advanceTimersByTime(3000);
  expect(feed.losses).toEqual([]);
});

it('marks a crash where the piece was let go', () => {
  const [loss] = after(line('place 500,600 stand 0.0', 1, 'crashes green S:green')).losses;
  expect(loss).toMatchObject({ x: 500, y: 600, size: 'S', colour: 'green', standing: true });
});

it('leaves iced pieces of others to the field', () => {
  const feed = after(line('place 1,1 point 0.0', 1, 'ices p2'));
  expect([feed.scenes, feed.losses]).toEqual([[], []]);
});

it('marks no piece that is free again', () => {
  const feed = after(line('place 1,1 point 0.0', 1, 'ices p1'));
  feed.handle(
    { ...FRAME, seq: 8, line: line('capture p4', 0, 'captures p4 S:green', 'frees p1') },
    FIELD,
    LAYOUT,
    SEATS,
  );
  expect(feed.losses.map(({ id }) => id)).toEqual(['p4']);
});

it('makes room for a refusal', () => {
  const feed = after(line('icehouse', 1, 'false_call green'));
  expect(feed.scenes).toHaveLength(1);
  feed.clear();
  expect(feed.scenes).toEqual([]);
});
