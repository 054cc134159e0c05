import { describe, expect, it } from 'vitest';
import { destinationWords, role, movesBySource, tap, type Hand } from './hand';

const LEGAL = movesBySource([
  { source: 'L', target: 'b1', text: 'L@b1' },
  { source: 'b2', target: 'c5', text: 'b2-c5' },
  { source: 'b2', target: 'b1', text: 'b2-b1' },
  { source: 'c3', target: 'b2', text: 'c3-b2' },
]);

function hand(picked: string | null): Hand {
  return { legal: LEGAL, picked };
}

describe('movesBySource', () => {
  it('sorts acts by what they start from', () => {
    expect([...LEGAL.keys()]).toEqual(['L', 'b2', 'c3']);
    expect([...LEGAL.get('b2')!]).toEqual([
      ['c5', 'b2-c5'],
      ['b1', 'b2-b1'],
    ]);
  });
});

describe('tap', () => {
  it("picks one's own and nothing else", () => {
    expect(tap(hand(null), 'b2', true)).toEqual({ kind: 'pick', source: 'b2' });
    expect(tap(hand(null), 'e3', false)).toBeNull();
  });

  it('puts back what is tapped again', () => {
    expect(tap(hand('b2'), 'b2', true)).toEqual({ kind: 'put back' });
  });

  it('makes an act if it is legal, otherwise an attempt', () => {
    expect(tap(hand('b2'), 'c5', false)).toEqual({ kind: 'act', text: 'b2-c5' });
    expect(tap(hand('L'), 'd4', false)).toEqual({ kind: 'attempt', source: 'L' });
  });

  it("moves to one's own piece if that is legal, otherwise picks it instead", () => {
    expect(tap(hand('c3'), 'b2', true)).toEqual({ kind: 'act', text: 'c3-b2' });
    expect(tap(hand('b2'), 'c3', true)).toEqual({ kind: 'pick', source: 'c3' });
  });
});

describe('role', () => {
  it('shows the movable pieces, then the legal targets', () => {
    expect(role(hand(null), 'b2', true)).toBe('movable');
    expect(role(hand(null), 'd4', true)).toBeNull();
    expect(role(hand('b2'), 'b2', true)).toBe('picked');
    expect(role(hand('b2'), 'b1', false)).toBe('free');
    expect(role(hand('b2'), 'c5', true)).toBe('cover');
    expect(role(hand('b2'), 'c2', false)).toBeNull();
  });
});

describe('destinationWords', () => {
  it('counts', () => {
    expect(destinationWords(hand('b2'))).toBe('2 destinations');
    expect(destinationWords(hand('L'))).toBe('1 destination');
    expect(destinationWords(hand('d4'))).toBe('it has no legal move');
  });
});
