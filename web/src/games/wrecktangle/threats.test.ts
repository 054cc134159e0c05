import { describe, expect, it } from 'vitest';
import { people } from '../../app/fixtures';
import { GOAL, helpWords, nearWords, squareHelp, threatsOf } from './threats';
import type { Threat, View } from './wire';

const SEATS = people('Ann', 'Ben');
const FRAME: Threat = {
  seat: 0,
  corners: ['c3', 'c6', 'f3', 'f6'],
  missing: 'f3',
  move: true,
  rolls: ['swap', 'wild'],
  prey: ['d4', 'e5'],
};
const IDLE: Threat = { ...FRAME, corners: ['c3', 'c4', 'f3', 'f4'], move: false, prey: [] };
const THEIRS: Threat = { ...FRAME, seat: 1, corners: ['b2', 'b4', 'd2', 'd4'], missing: 'b2', prey: ['c3'] };

function view(threats: Threat[]): View {
  return { pieces: { c3: '0D', d4: '1Q', e5: '1D' }, threats } as Partial<View> as View;
}

describe('threats', () => {
  it('of a seat are sorted by their captures', () => {
    expect(threatsOf(view([IDLE, THEIRS, FRAME]), 0)).toEqual([FRAME, IDLE]);
    expect(nearWords(view([IDLE, THEIRS, FRAME]), 0)).toBe('Threatens 2 rectangles');
    expect(nearWords(view([FRAME]), 1)).toBe('No threat');
  });

  it('are a chance to one player and a danger to the other', () => {
    expect(helpWords(view([IDLE, THEIRS, FRAME]), SEATS, 0)).toEqual([
      'f3 completes c3–f6 and captures a queen and a drone (move; die: swap, wild).',
      'Ben threatens your drone on c3.',
    ]);
    expect(helpWords(view([IDLE]), SEATS, 0)).toEqual(['f3 completes c3–f4 (die: swap, wild).']);
    expect(helpWords(view([IDLE]), SEATS, 1)).toEqual([GOAL]);
  });

  it('are described on their squares', () => {
    const help = (square: string, seat: number | null) => squareHelp(view([FRAME, THEIRS]), square, SEATS, seat);
    expect(help('e5', 1)).toEqual(['threatened by Ann']);
    expect(help('f3', 0)).toEqual(['completes rectangle c3–f6']);
    expect(help('f3', 1)).toEqual([]);
  });
});
