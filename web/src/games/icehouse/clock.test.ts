import { expect, it } from 'vitest';
import { bellWords, doneWords, isLate, lateWords, minutes } from './clock';

it('tells the time of play', () => {
  expect([0, 59_999, 60_000, 603_400].map(minutes)).toEqual(['0:00', '0:59', '1:00', '10:03']);
});

it('tells when the bell may ring', () => {
  expect(bellWords({ timer: 600, timer_spread: 0.2 })).toBe('The bell rings between 8:00 and 12:00.');
  expect(bellWords({ timer: 90, timer_spread: 0 })).toBe('The bell rings at 1:30.');
  expect(bellWords({ timer: 0, timer_spread: 0.2 })).toBe('');
});

it('warns of the bell before it may ring', () => {
  const options = { timer: 600, timer_spread: 0.2 };
  expect([449_999, 450_000, 700_000].map((played) => isLate(options, played))).toEqual([false, true, true]);
  expect(isLate({ timer: 60, timer_spread: 0.5 }, 22_500)).toBe(true);
  expect(isLate({ timer: 60, timer_spread: 0.5 }, 22_400)).toBe(false);
  expect(isLate({ timer: 0, timer_spread: 0.2 }, 1e9)).toBe(false);
  expect(lateWords(options)).toBe('The bell may ring from 8:00 on. Pieces on your pad score nothing: place them.');
});

it('tells a player without pieces what is left to do', () => {
  const left = 'you can still call, and capture an attacker that glows.';
  const [rung, placed] = ['Until the bell rings or all have placed theirs', 'Until all have placed theirs'];
  expect(doneWords({ timer: 600, timer_spread: 0.2 })).toBe(`All your pieces are placed. ${rung}, ${left}`);
  expect(doneWords({ timer: 0, timer_spread: 0.2 })).toBe(`All your pieces are placed. ${placed}, ${left}`);
});
