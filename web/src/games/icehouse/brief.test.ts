import { expect, it } from 'vitest';
import { brief } from './brief';
import { FIELD, LAYOUT, line, SEATS, stands, view } from './fixtures';

/** Cem has since stood a piece between p1 and its attacker p3. */
const VIEW = view({ field: [...FIELD, stands('p5', 'blue', 'S', 4700, 4000)] });

it.each<[act: string, seat: number, effects: string[], words: string | null]>([
  ['place 9000,2000 stand 0.0', 0, ['places p9 L:red'], 'stands a large'],
  ['place 5700,4000 point 180.0', 1, ['places p3 L:green'], 'large attacks the medium red'],
  [
    'place 4000,5200 point 270.0',
    2,
    ['places p4 S:green', 'ices p1', 'frees p2'],
    'small green attacks the medium red – iced!, frees the large blue',
  ],
  ['icehouse', 1, ['finds red', 'finds blue'], 'calls Icehouse: catches you and Cem'],
  ['icehouse', 1, ['false_call green'], 'calls Icehouse: catches nobody'],
  ['icehouse', 1, ['void'], 'calls Icehouse too soon'],
  ['icehouse', 1, ['void  200'], 'calls Icehouse too late'],
  ['meltdown blue', 1, ['melts p3 blue'], 'calls a meltdown on Cem: 1 attacker goes back'],
  ['meltdown blue', 1, [], 'calls a meltdown on Cem, in vain'],
  ['capture p4', 0, ['captures p4 S:green'], 'captures a small green'],
  ['place 1,1 stand 0.0', 0, ['crashes red L:red'], 'crashes with a large'],
  ['give S red', 1, ['gives green,red S:green'], 'gives you a small'],
  ['bell', -1, ['rings'], 'the bell rings'],
  // hands and readiness are left out, but not gifts by time
  ['ready', 0, [], null],
  ['lift L', 0, [], null],
  ['return', 0, [], null],
  ['ready', 2, ['starts'], 'go!'],
  ['lift L', 0, ['settles green,red S:green'], 'time is up: Ben gives you a small'],
])('lists %s of seat %d with %j', (act, seat, effects, words) => {
  expect(brief(LAYOUT, line(act, seat, ...effects), SEATS, VIEW)).toBe(words);
});
