import { describe, expect, it } from 'vitest';
import { effect, line, people, VIEW } from '../app/fixtures';
import type { GameView } from '../board/game-view';
import type { Effect } from '../wire';
import { brief as highrise } from './highrise/game';
import { brief as icefrogs } from './icefrogs/game';

const BRIEFS = { highrise, icefrogs } as unknown as Record<string, GameView['brief']>;

const SEATS = people('Ann', 'Ben');
const LAYOUTS: Record<string, object> = {
  icefrogs: {
    spaces: [
      { name: 'a1', x: 0, y: 0, start: 0 },
      { name: 'b1', x: -1, y: 1, start: null },
      { name: 'c3', x: -2, y: 2, start: null },
      { name: 'c5', x: 2, y: 2, start: 1 },
    ],
  },
};

describe('the list of moves', () => {
  it.each<[string, string, Effect[], string]>([
    ['highrise', 'L:red@b2', [effect('places', '0L:red', 'b2')], 'large on b2'],
    ['highrise', 'roll:112', [effect('rolls', '112')], 'dice 1 1 2'],
    ['highrise', 'deal:12', [effect('reveals', 1, 'a1')], 'the numbers are shown'],
    ['icefrogs', 'L@b1', [effect('path', '0L', 'a1', 'b1')], 'L enters b1'],
    [
      'icefrogs',
      'a1-c5',
      [effect('path', '0L', 'a1', 'c3', 'a1', 'c5'), effect('covers', '1S', 'c5'), effect('reaches', null, 'c5')],
      'a1–c5 over 3, covers a small blue, home!',
    ],
    ['icefrogs', 'pass', [], 'passes'],
  ])('of %s describes %s in a few words', (game, text, effects, words) => {
    expect(BRIEFS[game]?.(LAYOUTS[game] ?? {}, line(text, effects), SEATS, VIEW)).toBe(words);
  });
});
