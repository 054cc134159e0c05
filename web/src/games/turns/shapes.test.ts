import { describe, expect, it } from 'vitest';
import { effect, line as lineOf, people } from '../../app/fixtures';
import { VIEW, WRECK } from './fixtures';
import { formedBy, helpWords, outlineOf, spaceHelp, threatsOf, valueBefore } from './shapes';
import type { AnyEffect, Threat, View } from './wire';

const SEATS = people('Ann', 'Ben');
const CORNERS = ['c3', 'c6', 'f3', 'f6'];
const FRAME: Threat = {
  seat: 0,
  corners: CORNERS,
  missing: 'f3',
  prey: ['d4', 'e5'],
  chance: 'f3 completes c3–f6.',
  aim: 'completes rectangle c3–f6',
  means: 'by a move',
};
const IDLE: Threat = { ...FRAME, corners: ['c3', 'c4', 'f3', 'f4'], prey: [], chance: 'f3 completes c3–f4.' };
const THEIRS: Threat = { ...FRAME, seat: 1, missing: 'b2', prey: ['c3'], aim: 'completes rectangle b2–d4' };
const line = lineOf<AnyEffect>;

function view(threats: Threat[], own: Record<string, unknown> = {}): View {
  const stacks = { c3: ['0D'], d4: ['1Q'], e5: ['1D'] };
  return { ...VIEW, stacks, threats, own };
}

describe('shapes that an act forms', () => {
  const counts = effect('forms', 'resolved', ...CORNERS);
  const turns = effect('coin', 'tails');

  it.each<[string, AnyEffect[], string, string | null]>([
    ['by the coin before the act', [counts, turns], 'tails', 'inside'],
    ['by the coin, if it stays', [counts], 'tails', 'edges'],
    ['not at all', [effect('forms', 'home-row', ...CORNERS)], 'heads', null],
  ])('are lit up %s', (_, effects, coin, lit) => {
    expect(formedBy(WRECK, line('a-b', effects), view([], { coin }))).toEqual([{ corners: CORNERS, lit }]);
  });

  it('have their corners in order around the middle', () => {
    const at = (x: number, y: number) => ({ x, y });
    expect(outlineOf([at(0, 0), at(2, 2), at(0, 2), at(2, 0)])).toBe('M0 0L2 0L2 2L0 2Z');
    expect(valueBefore(WRECK, line('x', [turns]), view([], { coin: 'tails' }), 'coin')).toBe('heads');
    expect(formedBy(WRECK, null, view([]))).toEqual([]);
  });
});

describe('threats', () => {
  it('of a seat are sorted by their prey', () => {
    expect(threatsOf(view([IDLE, THEIRS, FRAME]), 0)).toEqual([FRAME, IDLE]);
  });

  it.each<[string, Threat[], number, string[]]>([
    [
      'chances and dangers',
      [IDLE, THEIRS, FRAME],
      0,
      ['f3 completes c3–f6.', 'Ben threatens your drone on c3 from b2 (+), by a move.'],
    ],
    ['dangers', [FRAME], 1, ['Ann threatens your queen on d4 and drone on e5 from f3 (+), by a move.']],
    [
      'the best of many',
      [FRAME, { ...IDLE, missing: 'g1' }, { ...IDLE, missing: 'g2' }],
      0,
      ['f3 completes c3–f6.', '2 more are marked.'],
    ],
    ['idle chances', [IDLE], 0, ['f3 completes c3–f4.']],
    ['nothing to one whom they do not concern', [IDLE], 1, []],
  ])('are told as %s', (_, threats, seat, words) => {
    expect(helpWords(WRECK, view(threats), SEATS, seat)).toEqual(words);
  });

  it('are described on their spaces', () => {
    const help = (name: string, seat: number | null) => spaceHelp(view([FRAME, THEIRS]), name, SEATS, seat);
    expect(help('e5', 1)).toEqual(['threatened by Ann']);
    expect(help('f3', 0)).toEqual(['completes rectangle c3–f6']);
    expect(help('f3', 1)).toEqual([]);
  });
});
