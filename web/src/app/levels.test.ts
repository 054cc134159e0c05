import { expect, it } from 'vitest';
import type { GameInfo, Level } from '../wire';
import { aboutLevel, defaultLevel, nearbyLevels } from './levels';

it('the default level is the one last chosen, else the weakest', () => {
  const game = { levels: ['weak', 'fair', 'strong'].map((name) => ({ name, title: name, about: '' })) } as GameInfo;
  expect(defaultLevel(game, 'strong')).toBe('strong');
  expect(defaultLevel(game, 'unheard of')).toBe('weak');
  expect(defaultLevel({ ...game, levels: [] }, 'strong')).toBeNull();
});

it('of more than five levels, those around the chosen one are shown first', () => {
  const levels = [...'abcdefghi'].map((name) => ({ name }) as Level);
  const nearby = (chosen: string): string =>
    nearbyLevels(levels, chosen)
      .map(({ name }) => name)
      .join('');
  expect(['a', 'b', 'e', 'i', 'unheard of'].map(nearby)).toEqual(['abc', 'abc', 'def', 'ghi', 'abc']);
  expect(nearbyLevels(levels.slice(0, 5), 'a')).toHaveLength(5);
});

it('the text about a level is the one for the number of players', () => {
  const level: Level = {
    name: 'a',
    title: 'A',
    about: 'With 2: looks. With 3: waits.',
    by_players: { 2: 'Looks.', 3: 'Waits.' },
  };
  const levels = [level, { name: 'b', title: 'B', about: 'Thinks.' }];
  expect([2, 3].map((players) => aboutLevel(levels, 'a', players))).toEqual(['Looks.', 'Waits.']);
  expect(aboutLevel(levels, 'b', 3)).toBe('Thinks.');
  expect(['c', null].map((name) => aboutLevel(levels, name, 2))).toEqual(['', '']);
});
