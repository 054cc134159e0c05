import { describe, expect, it } from 'vitest';
import { effect, line, people, VIEW } from '../app/fixtures';
import type { GameView } from '../board/game-view';
import type { Effect } from '../wire';
import { brief as wrecktangle } from './wrecktangle/game';

const BRIEFS = { wrecktangle } as unknown as Record<string, GameView['brief']>;

const SEATS = people('Ann', 'Ben');

describe('the list of moves', () => {
  it.each<[string, string, Effect[], string | null]>([
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
    expect(BRIEFS[game]?.({}, line(text, effects), SEATS, VIEW)).toBe(words);
  });
});
