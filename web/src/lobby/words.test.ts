import { expect, it } from 'vitest';
import type { GameInfo } from '../wire';
import { minutesWords, pairWords, playersWords } from './words';

it.each([
  [2, 2, '2 players'],
  [2, 8, '2–8 players'],
  [1, 1, 'one player'],
])('%i to %i: %s', (min, max, words) => {
  expect(playersWords({ players: [min, max] } as unknown as GameInfo)).toBe(words);
});

it.each([
  ['8 to 17 minutes', '8–17 min'],
  ['6.4 minutes', '6 min'],
  ['', ''],
])('%s: %s', (playing_time, words) => {
  expect(minutesWords({ playing_time } as GameInfo)).toBe(words);
});

it('names the seat that is favoured', () => {
  expect(pairWords({ favours: 1 } as GameInfo)).toBe('Playing second helps a lot – two games even it out.');
});
