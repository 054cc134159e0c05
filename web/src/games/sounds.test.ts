import { describe, expect, it } from 'vitest';
import { effect, line } from '../app/fixtures';
import type { Sound } from '../app/sounds';
import { soundsOf, vibrationOf } from '../board/sounds';
import type { Line } from '../wire';
import { loadGame } from './registry';

async function sounds(game: string, act: Line, effects = act.effects): Promise<Sound[]> {
  return soundsOf((await loadGame(game, {})).sounds, act, effects);
}

describe('the sounds of the games', () => {
  it.each([
    ['wrecktangle', effect('moves', '0Q', 'd1', 'd3'), 'land-L'],
    ['wrecktangle', effect('swaps', '0P 1Q', 'd1', 'e8'), 'land-S'],
    ['icehouse', effect('places', 'L:red', 'p4'), 'land-L'],
  ])('%s: the sound of a landing depends on the size', async (game, placed, sound) => {
    expect(await sounds(game, line('x', [placed]))).toEqual([sound]);
  });

  it('a die is heard as soon as it is rolled, and a move of the same game is not', async () => {
    expect(await sounds('wrecktangle', line('die:away', [], -1))).toEqual(['roll']);
    expect(await sounds('wrecktangle', line('d1-d3', []))).toEqual([]);
  });

  it('several captures make one sound, besides the others', async () => {
    const captures = [effect('captures', '1P', 'a1'), effect('captures', '1Q', 'a2')];
    const moved = line('d1-d3', [...captures, effect('coin', 'tails')]);
    expect(await sounds('wrecktangle', moved)).toEqual(['capture', 'coin']);
  });

  it.each([
    ['rings', null, 'bell'],
    ['finds', null, 'call'],
    ['crashes', 'L:red', 'crash'],
  ])('Icehouse: everybody hears and feels what %s', async (kind, value, expected) => {
    const [sound] = await sounds('icehouse', line('x', [effect(kind, value, 'red')]));
    expect(sound).toBe(expected);
    expect(vibrationOf(sound!, false)).not.toBeNull();
  });

  it('only the player of a piece feels it land', () => {
    expect(vibrationOf('land-M', true)).not.toBeNull();
    expect(vibrationOf('land-M', false)).toBeNull();
  });
});
