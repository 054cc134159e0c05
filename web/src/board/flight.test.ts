import { describe, expect, it } from 'vitest';
import { duration, gone, leap, positionAt, rest, share, top } from './flight';

const HERE = { x: 0, y: 0, z: 0, lean: 0 };
const THERE = { x: 2, y: 0, z: 0, lean: 0 };

describe('flights', () => {
  it('clear their hurdles', () => {
    const legs = [leap(HERE, THERE, 60, 200)];
    expect(positionAt(legs, 100).x).toBeCloseTo(1);
    expect(positionAt(legs, 100).z).toBeGreaterThan(60);
    expect(positionAt(legs, 100).air).toBe(positionAt(legs, 100).z);
    expect(positionAt([leap(HERE, THERE, 0, 200)], 100).z).toBeGreaterThan(0);
  });

  it('rest before they rise and after they land', () => {
    const legs = [rest(HERE, 100), leap(HERE, THERE, 0, 200)];
    expect(duration(legs)).toBe(300);
    expect(positionAt(legs, -5)).toMatchObject(HERE);
    expect(positionAt(legs, 99)).toMatchObject(HERE);
    expect(positionAt(legs, 1000)).toEqual({ ...THERE, air: 0 });
  });

  it('end on top of a stack', () => {
    expect(top([{ size: 'L', colour: 'red' }])).toEqual({ z: 0, lean: 0 });
    expect(
      top([
        { size: 'L', colour: 'red' },
        { size: 'S', colour: 'red' },
      ]).z,
    ).toBeGreaterThan(40);
  });
});

describe('spans', () => {
  it('pass', () => {
    const span = { start: 100, end: 300 };
    expect([0, 100, 200, 300, 900].map((at) => share(span, at))).toEqual([0, 0, 0.5, 1, 1]);
    expect(gone({ legs: [], leaves: span }, 300)).toBe(1);
    expect(gone({ legs: [], leaves: null }, 300)).toBe(0);
  });
});
