import { expect, it } from 'vitest';
import type { GameInfo } from '../wire';
import { usualLevel } from './levels';

it('the usual level is the one last chosen, else the weakest', () => {
  const game = { levels: ['weak', 'fair', 'strong'].map((name) => ({ name, title: name, about: '' })) } as GameInfo;
  expect(usualLevel(game, 'strong')).toBe('strong');
  expect(usualLevel(game, 'unheard of')).toBe('weak');
  expect(usualLevel({ ...game, levels: [] }, 'strong')).toBeNull();
});
