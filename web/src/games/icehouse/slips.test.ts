import { expect, it } from 'vitest';
import { Slips } from './slips';

it('takes a tap for a slip right after another touch, or while another finger is down', () => {
  const slips = new Slips();
  const isMeant = (now: number) => {
    slips.press(now);
    return slips.isMeant;
  };
  expect(isMeant(0)).toBe(true);
  slips.touch(1, true, 1000);
  expect(isMeant(2000)).toBe(false);
  slips.touch(1, false, 2000);
  expect(isMeant(2149)).toBe(false);
  expect(isMeant(2150)).toBe(true);
});
