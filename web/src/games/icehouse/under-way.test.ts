import { describe, expect as see, it } from 'vitest';
import type { Sent } from '../../board/game-view';
import { LAYOUT, view } from './fixtures';
import { basis, expect, landed } from './under-way';

function acts(...texts: string[]): Sent[] {
  return texts.map((text, number) => ({ id: `a${number}`, seat: 0, text }));
}

const EMPTY = view({ hands: [null, null, null] });

describe('expect', () => {
  it('is the position if no act is pending', () => {
    see(expect(view(), LAYOUT, 0, [])).toEqual({ held: 'L:red', pad: view().pads[0], landing: [], prey: [] });
  });

  it('follows the hand through several acts, and shows all landings', () => {
    const sent = acts('lift M:green', 'place 4000,3000 stand 45.0', 'lift S', 'place -5,0 point 7.5', 'lift L:red');
    const { held, pad, landing } = expect(EMPTY, LAYOUT, 0, sent);
    see([held, pad]).toEqual(['L:red', { red: { S: 4, L: 3 }, green: { M: 0 } }]);
    see(landing.map(({ id }) => id)).toEqual(['a1', 'a3']);
    see(landing.map(landed)).toMatchObject([
      { colour: 'green', size: 'M', x: 4000, y: 3000, heading: 45, standing: true },
      { colour: 'red', size: 'S', x: -5, y: 0, heading: 7.5, standing: false },
    ]);
  });

  it('counts no act twice that the position includes already', () => {
    see(expect(view(), LAYOUT, 0, acts('lift L'))).toMatchObject({ held: 'L:red', pad: view().pads[0] });
    see(expect(EMPTY, LAYOUT, 0, acts('place 4000,3000 stand 45.0', 'return'))).toMatchObject({
      held: null,
      pad: EMPTY.pads[0],
      landing: [],
    });
  });

  it('leaves the other seats alone', () => {
    see(expect(EMPTY, LAYOUT, 1, acts('lift L'))).toMatchObject({ held: null });
  });

  it('knows the pieces about to be captured', () => {
    see(expect(EMPTY, LAYOUT, 0, acts('capture p4', 'icehouse')).prey).toEqual(['p4']);
  });
});

describe('basis', () => {
  it('is the last act of the hand, except one that only empties it', () => {
    see(basis(0, acts('lift L', 'icehouse', 'capture p4'))).toBe('a0');
    see(basis(0, acts('lift L', 'place 1,1 stand 0.0'))).toBe('a1');
    see(basis(0, acts('lift L', 'return'))).toBeUndefined();
    see(basis(1, acts('lift L'))).toBeUndefined();
  });
});
