import { expect, it } from 'vitest';
import { people } from '../../../app/fixtures';
import { named } from './words';

const SEATS = people('Ann', 'Ben').map((person) => ({ ...person, mine: person.seat === 1 }));

it.each([
  ["{1} iced {0's} large: {0} -3, {1} +2.", 'You iced Ann’s large: Ann −3, you +2.'],
  ["{1's} large was iced from the start.", 'Your large was iced from the start.'],
  ["{1} iced {1's own} large.", 'You iced your own large.'],
  ["{0} iced {0's own} large.", 'Ann iced their own large.'],
  ['{0} called icehouse and found {1}.', 'Ann called icehouse and found you.'],
  ['Nobody won after 1:40 of play.', 'Nobody won after 1:40 of play.'],
])('%s', (text, words) => {
  expect(named(text, SEATS)).toBe(words);
});
