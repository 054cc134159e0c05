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
  it('the sound of a landing in Icehouse depends on the size', async () => {
    expect(await sounds('icehouse', line('x', [effect('places', 'L:red', 'p4')]))).toEqual(['land-L']);
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
