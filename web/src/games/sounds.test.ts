import { describe, expect, it } from 'vitest';
import { effect, line } from '../app/fixtures';
import type { Sound } from '../app/sounds';
import { soundsOf, vibrationOf } from '../board/sounds';
import type { Line } from '../wire';
import { loadGame } from './registry';

async function sounds(game: string, one: Line, effects = one.effects): Promise<Sound[]> {
  return soundsOf((await loadGame(game)).sounds, one, effects);
}

describe('the sounds of the games', () => {
  it.each([
    ['highrise', effect('places', '1S:red', 'b2'), 'land-S'],
    ['icefrogs', effect('path', '0L', 'a1', 'b2'), 'land-L'],
    ['squad', effect('formation', '0S', 'b2'), 'land-M'],
    ['wrecktangle', effect('moves', '0Q', 'd1', 'd3'), 'land-L'],
    ['wrecktangle', effect('swaps', '0P 1Q', 'd1', 'e8'), 'land-S'],
    ['icehouse', effect('places', 'L:red', 'p4'), 'land-L'],
  ])('%s: what lands is heard by its size', async (game, placed, sound) => {
    expect(await sounds(game, line('x', [placed]))).toEqual([sound]);
  });

  it('a die is heard as soon as it is rolled, and a move of the same game is not', async () => {
    expect(await sounds('wrecktangle', line('die:away', [], -1))).toEqual(['roll']);
    expect(await sounds('wrecktangle', line('d1-d3', []))).toEqual([]);
    const rolled = line('roll:112', [effect('rolls', '112')], -1);
    expect(await sounds('highrise', rolled, [])).toEqual(['roll']);
    expect(await sounds('highrise', rolled)).toEqual([]);
  });

  it('many captures at once are one sound, beside the others', async () => {
    const captures = [effect('captures', '1P', 'a1'), effect('captures', '1Q', 'a2')];
    const moved = line('d1-d3', [...captures, effect('coin', 'tails')]);
    expect(await sounds('wrecktangle', moved)).toEqual(['capture', 'coin']);
  });

  it.each([
    ['rings', null, 'bell'],
    ['finds', null, 'call'],
    ['crashes', 'L:red', 'crash'],
  ])('Icehouse: what %s is heard and felt by everybody', async (kind, value, sound) => {
    const [one] = await sounds('icehouse', line('x', [effect(kind, value, 'red')]));
    expect(one).toBe(sound);
    expect(vibrationOf(one!, false)).not.toBeNull();
  });

  it('a landing is felt in one’s own hand alone', () => {
    expect(vibrationOf('land-M', true)).not.toBeNull();
    expect(vibrationOf('land-M', false)).toBeNull();
  });
});
