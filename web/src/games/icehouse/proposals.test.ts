import { describe, expect, it } from 'vitest';
import { FIELD, ground, lies, stands } from './fixtures';
import type { Kind, Pose } from './acts';
import { attacksOn, freePlace, placesToStand, targetsFor } from './proposals';

const FROM: Pose = { x: 6000, y: 4000, heading: 0, standing: false };
const MEDIUM: Kind = { size: 'M', colour: 'red' };

describe('attacksOn', () => {
  it('proposes valid attacks on the target from all sides, the nearest with the least turn first', () => {
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

  it('prefers a turn to a greater distance', () => {
    const beside = ground([...FIELD, stands('p9', 'green', 'S', 8050, 2600)]);
    const found = attacksOn(beside, MEDIUM, FIELD[1]!, FROM);
    const distances = found.map(({ x, y }) => Math.hypot(x - FIELD[1]!.x, y - FIELD[1]!.y));
    expect(found[0]!.heading).not.toBe(0);
    expect(found.map(({ heading }) => heading)).toContain(0);
    expect(distances.every((distance, i) => i === 0 || distance > distances[i - 1]! - 1)).toBe(true);
  });

  it('proposes none on a piece of its own colour', () => {
    expect(attacksOn(ground(), MEDIUM, FIELD[0]!, FROM)).toEqual([]);
  });
});

describe('targetsFor', () => {
  const field = ground([
    stands('own', 'blue', 'L', 1000, 1000),
    stands('iced', 'green', 'L', 3000, 1000, true),
    stands('fresh', 'green', 'L', 5000, 1000),
    stands('begun', 'green', 'L', 7000, 1000),
    lies('a1', 'blue', 'S', 7000, 3000, 2700, 'begun'),
    stands('small', 'green', 'S', 9000, 1000),
    stands('medium', 'green', 'M', 11_000, 1000),
    lies('a2', 'blue', 'S', 11_000, 3000, 2700, 'medium'),
    stands('red', 'red', 'S', 1000, 5000),
  ]);
  const order = (size: Kind['size']) => targetsFor(field, { size, colour: 'red' }, 'blue').map(({ id }) => id);

  it('starts with targets that it ices, and ends with iced ones and its own colour', () => {
    expect(order('M')).toEqual(['medium', 'small', 'begun', 'fresh', 'iced', 'own']);
    expect(order('S')).toEqual(['begun', 'medium', 'fresh', 'small', 'iced', 'own']);
  });
});

describe('placesToStand', () => {
  it('proposes free places, the nearest first', () => {
    const field = ground();
    const found = placesToStand(field, MEDIUM, FROM);
    expect(found.length).toBeGreaterThan(20);
    const distances = found.map(({ x, y }) => Math.hypot(x - FROM.x, y - FROM.y));
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
    for (const pose of found) expect(field.judge(MEDIUM, pose).outcome).toBe('fits');
  });

  it('proposes none if there is no room', () => {
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

  it('is the same place if that is free, or if there is no room at all', () => {
    const free: Pose = { x: 7500, y: 6000, heading: 0, standing: true };
    expect(freePlace(ground(), MEDIUM, free)).toEqual(free);
    const tiny = ground([stands('p1', 'blue', 'L', 500, 500)], { ...ground().layout, width: 1000, height: 1000 });
    expect(freePlace(tiny, MEDIUM, free)).toBe(free);
  });
});
