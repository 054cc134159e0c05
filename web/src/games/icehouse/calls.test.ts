import { expect, it } from 'vitest';
import { caught, costWords, Slips } from './calls';
import { FIELD, LAYOUT, view } from './fixtures';
import type { View } from './wire';

const FEW = { green: { S: 5, L: 2 } };

it.each<[why: string, seats: number[], more: Partial<View>]>([
  ['no piece that stands free and fewer than eight to play', [1], { pads: [{}, FEW, {}] }],
  ['a prisoner counts as a piece to play', [], { pads: [{}, { ...FEW, red: { S: 1 } }, {}] }],
  ['so does the piece in hand', [], { pads: [{}, FEW, {}], hands: [null, 'S:green', null] }],
  ['one that stands free protects', [], { pads: [{}, { green: { S: 8 } }, {}] }],
  ['nobody is caught twice', [], { pads: [{}, FEW, {}], in_icehouse: [1] }],
  ['all can be', [1, 2], { pads: [{}, FEW, {}], field: FIELD.slice(0, 1) }],
])('a call catches others only: %s', (_, seats, more) => {
  expect(caught(LAYOUT, view(more), 0)).toEqual(seats);
});

it('a false call costs a piece, if there is one, or calls for a while', () => {
  const gift = { false_call: 'gift', call_pause: 10 };
  expect(costWords(gift, 1)).toBe('a false call costs a piece');
  for (const words of [costWords(gift, 0), costWords({ ...gift, false_call: 'free' }, 1)]) {
    expect(words).toBe('after a false call, wait 10 seconds');
  }
});

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
