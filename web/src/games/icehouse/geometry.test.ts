import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SIZES, type Size } from '../../pieces/solid';
import {
  contact,
  depth,
  footprint,
  gap,
  isInRange,
  isNear,
  isOnField,
  sight,
  type Footprint,
  type Lengths,
} from './geometry';

/** The format of tests/vectors/geometry.py. */
type Row = [x: number, y: number, heading: number, size: number, standing: boolean];

interface Vectors {
  lengths: Record<string, [number, number, number]>;
  footprints: {
    piece: Row;
    length: string;
    corners: [number, number][];
    direction: [number, number];
    field: [number, number];
    on_field: boolean;
  }[];
  overlaps: {
    pieces: [Row, Row];
    tolerance: number;
    contact: 0 | 1 | 2;
    depth2: string;
    gap2: string;
    length: number;
    within: boolean;
  }[];
  rays: { piece: Row; others: Row[]; target: number }[];
  verdicts: {
    piece: Row;
    others: Row[];
    tolerance: number;
    by_ray: boolean;
    contact: 0 | 1 | 2;
    target: number;
    in_range: boolean;
  }[];
}

const FILE = new URL('../../../../tests/vectors/geometry.json', import.meta.url);
const vectors = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors;
const CONTACTS = ['apart', 'lesser', 'deeper'] as const;
const MAX_SIDE = 240_000;

function lengthsOf(name: string): Lengths {
  return Object.fromEntries(SIZES.map((size, i) => [size, vectors.lengths[name]![i]!])) as Lengths;
}

function piece([x, y, heading, size, standing]: Row, lengths = lengthsOf('face')): Footprint {
  return footprint({ x, y }, heading, SIZES[size] as Size, standing, lengths);
}

/** The root of a fraction such as "37/6". */
function root(text: string): number {
  const [over, under = '1'] = text.split('/');
  return Math.sqrt(Number(over) / Number(under));
}

describe('the geometry agrees with Python', () => {
  it('on footprints', () => {
    for (const expected of vectors.footprints) {
      const actual = piece(expected.piece, lengthsOf(expected.length));
      expect(actual.corners.map(({ x, y }) => [x, y])).toEqual(expected.corners);
      expect([actual.c, actual.s]).toEqual(expected.direction);
      expect(isOnField(actual, ...expected.field)).toBe(expected.on_field);
    }
  });

  it('on overlaps and gaps', () => {
    for (const { pieces, tolerance, length, ...expected } of vectors.overlaps) {
      const [a, b] = pieces.map((row) => piece(row)) as [Footprint, Footprint];
      expect(contact(a, b, tolerance)).toBe(CONTACTS[expected.contact]);
      expect(isNear(a, b, length)).toBe(expected.within);
      expect(depth(a, b)).toBeCloseTo(root(expected.depth2), 6);
      expect(gap(a, b)).toBeCloseTo(root(expected.gap2), 6);
    }
  });

  it('on rays', () => {
    for (const expected of vectors.rays) {
      const others = expected.others.map((row) => piece(row));
      expect(sight(piece(expected.piece), others, MAX_SIDE, MAX_SIDE).target ?? -1).toBe(expected.target);
    }
  });

  it('on verdicts', () => {
    for (const { others, tolerance, by_ray, ...expected } of vectors.verdicts) {
      const shooter = piece(expected.piece);
      const field = others.map((row) => piece(row));
      const worst = Math.max(...field.map((other) => CONTACTS.indexOf(contact(other, shooter, tolerance))));
      expect(worst).toBe(expected.contact);
      if (worst > 0) continue;
      const { target } = sight(shooter, field, MAX_SIDE, MAX_SIDE);
      expect(target ?? -1).toBe(expected.target);
      expect(target !== null && isInRange(shooter, field[target]!, by_ray)).toBe(expected.in_range);
    }
  });
});
