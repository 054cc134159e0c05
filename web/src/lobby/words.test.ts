import { expect, it } from 'vitest';
import type { GameInfo } from '../wire';
import { lengthWords, pairWords } from './words';

it.each([
  [[2, 2], '8 to 17 minutes', '2 players · 8–17 min'],
  [[2, 8], '6.4 minutes', '2–8 players · 6 min'],
  [[1, 1], '', 'one player'],
] as const)('%s players, %s: %s', (players, playing_time, words) => {
  expect(lengthWords({ players: [...players], playing_time } as unknown as GameInfo)).toBe(words);
});

it('a better seat is named', () => {
  expect(pairWords({ favours: 1 } as GameInfo)).toBe('Playing second helps a lot – two games even it out.');
});
