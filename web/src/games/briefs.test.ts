import { describe, expect, it } from 'vitest';
import { effect, line, people, VIEW } from '../app/fixtures';
import type { GameView } from '../board/game-view';
import type { Effect } from '../wire';
import { brief as icefrogs } from './icefrogs/game';
import { brief as wrecktangle } from './wrecktangle/game';

const BRIEFS = { icefrogs, wrecktangle } as unknown as Record<string, GameView['brief']>;

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
  it.each<[string, string, Effect[], string | null]>([
    ['icefrogs', 'L@b1', [effect('path', '0L', 'a1', 'b1')], 'L enters b1'],
    [
      'icefrogs',
      'a1-c5',
      [effect('path', '0L', 'a1', 'c3', 'a1', 'c5'), effect('covers', '1S', 'c5'), effect('reaches', null, 'c5')],
      'a1–c5 over 3, covers a small blue, home!',
    ],
    ['icefrogs', 'pass', [], 'passes'],
    ['wrecktangle', 'die:diag-toward', [], ''],
    ['wrecktangle', 'die:away', [effect('turn', 1)], 'no move'],
    ['wrecktangle', 'b1-b3', [effect('moves', '0D', 'b1', 'b3')], 'b1–b3'],
    ['wrecktangle', '~d8-d7', [effect('moves', '1Q', 'd8', 'd7')], 'die d8–d7'],
    [
      'wrecktangle',
      '~e1*e2',
      [effect('captures', '1Q', 'd4'), effect('captures', '1P', 'd5'), effect('out', 1)],
      'swaps e1 and e2, captures a queen and a pawn, Ben is out',
    ],
    ['wrecktangle', 'end', [effect('turn', 1)], null],
  ])('of %s describes %s in a few words', (game, text, effects, words) => {
    expect(BRIEFS[game]?.(LAYOUTS[game] ?? {}, line(text, effects), SEATS, VIEW)).toBe(words);
  });
});
