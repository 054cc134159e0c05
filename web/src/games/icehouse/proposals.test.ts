import { describe, expect, it } from 'vitest';
import { FIELD, ground, stands } from './fixtures';
import type { Kind, Pose } from './acts';
import { attacksOn, freePlace, placesToStand } from './proposals';

const FROM: Pose = { x: 6000, y: 4000, heading: 0, standing: false };
const MEDIUM: Kind = { size: 'M', colour: 'red' };

describe('attacksOn', () => {
  it('proposes valid attacks on the target from all sides, the least turn first', () => {
    const field = ground();
    const target = FIELD[1]!;
    const found = attacksOn(field, MEDIUM, target, FROM);
    expect(found.length).toBeGreaterThan(12);
    expect(found[0]!.heading).toBe(0);
    expect(new Set(found.map(({ heading }) => heading)).size).toBe(found.length);
    for (const pose of found) {
      expect(field.judge(MEDIUM, pose)).toMatchObject({ outcome: 'fits', target: { id: 'p2' } });
    }
  });

  it('proposes none on a piece of its own colour', () => {
    expect(attacksOn(ground(), MEDIUM, FIELD[0]!, FROM)).toEqual([]);
  });
});

describe('placesToStand', () => {
  it('proposes free places, the nearest first', () => {
    const field = ground();
    const found = placesToStand(field, MEDIUM, FROM);
    expect(found.length).toBeGreaterThan(20);
    const far = found.map(({ x, y }) => Math.hypot(x - FROM.x, y - FROM.y));
    expect(far).toEqual([...far].sort((a, b) => a - b));
    for (const pose of found) expect(field.judge(MEDIUM, pose).outcome).toBe('fits');
  });

  it('proposes none where there is no room', () => {
    const tiny = ground([stands('p1', 'blue', 'L', 500, 500)], { ...ground().layout, width: 1000, height: 1000 });
    expect(placesToStand(tiny, MEDIUM, FROM)).toEqual([]);
  });
});

describe('freePlace', () => {
  it('is beside a piece that is in the way, standing or lying, and on the field', () => {
    const field = ground();
    for (const standing of [true, false]) {
      const from: Pose = { x: FIELD[0]!.x, y: FIELD[0]!.y, heading: 450, standing };
      const found = freePlace(field, MEDIUM, from);
      const { outcome } = field.judge(MEDIUM, found);
      expect(outcome).not.toMatch(/overlaps|crash|off-field/);
      expect(Math.hypot(found.x - from.x, found.y - from.y)).toBeLessThan(2500);
      expect(found).toMatchObject({ heading: 450, standing });
    }
    expect(field.judge(MEDIUM, freePlace(field, MEDIUM, { x: 0, y: 0, heading: 0, standing: true })).outcome).toBe(
      'fits',
    );
  });

  it('is where one looks, if nothing is there, or there is no room at all', () => {
    const free: Pose = { x: 7500, y: 6000, heading: 0, standing: true };
    expect(freePlace(ground(), MEDIUM, free)).toEqual(free);
    const tiny = ground([stands('p1', 'blue', 'L', 500, 500)], { ...ground().layout, width: 1000, height: 1000 });
    expect(freePlace(tiny, MEDIUM, free)).toBe(free);
  });
});
