import { describe, expect, it } from 'vitest';
import { FIELD, ground, lies, READER, stands } from './fixtures';
import type { Kind, Pose } from './acts';
import { attackersOf, excess, fieldWords, idsIn, inches, lyingWords, verdictWords, directionTo } from './words';

const LARGE: Kind = { size: 'L', colour: 'red' };

function said(kind: Kind, pose: Pose, pieces = FIELD): string {
  const field = ground(pieces);
  return verdictWords(READER, kind, field.judge(kind, pose), field);
}

describe('inches', () => {
  it('are rounded to a tenth', () => {
    expect([40, 400, 1000, 1250, 2000].map(inches)).toEqual([
      '0 inches',
      '0.4 inch',
      '1 inch',
      '1.3 inches',
      '2 inches',
    ]);
  });
});

describe('directionTo', () => {
  it('returns one of eight directions; north is up', () => {
    const from = { x: 0, y: 0 };
    const offsets = [
      [9, 1],
      [5, 6],
      [-1, 9],
      [-5, 4],
      [-9, -1],
      [-4, -5],
      [1, -9],
      [5, -4],
    ];
    expect(offsets.map(([x, y]) => directionTo(from, { x: x!, y: y! }))).toEqual([
      'east',
      'northeast',
      'north',
      'northwest',
      'west',
      'southwest',
      'south',
      'southeast',
    ]);
  });
});

describe('pieces', () => {
  it('are described with their state', () => {
    expect(attackersOf(FIELD[0]!, FIELD).map(({ id }) => id)).toEqual(['p3', 'p4']);
    expect(excess(FIELD[0]!, FIELD)).toBe(2);
    expect(fieldWords(READER, FIELD[0]!, FIELD)).toBe('number 1: your medium, is iced by 2');
    expect(fieldWords(READER, FIELD[1]!, FIELD)).toBe('number 2: large blue, stands free');
    expect(fieldWords(READER, FIELD[3]!, FIELD)).toBe('number 4: small green, attacks your medium number 1, redundant');
  });

  it('that lie are described with their place', () => {
    expect(lyingWords(READER, FIELD[2]!, FIELD)).toBe(
      'large green number 3 lies 0.4 inch east of your medium number 1, which is iced by 2',
    );
    const stray = lies('p9', 'green', 'S', 2000, 2000, 0, null);
    expect(lyingWords(READER, stray, [stray])).toBe('small green number 9 lies and points at nothing');
  });
});

describe('the verdict on a piece in hand', () => {
  it('says that it fits', () => {
    expect(said(LARGE, { x: 2000, y: 2000, heading: 0, standing: true })).toBe('OK to stand here');
  });

  it('says what it attacks', () => {
    const two = [...FIELD, stands('p5', 'red', 'S', 8000, 6000)];
    expect(said({ size: 'L', colour: 'green' }, { x: 4000, y: 2500, heading: 900, standing: false })).toBe(
      'attacks your medium piece (already iced). Too early: a call of meltdown would send it home',
    );
    expect(said(LARGE, { x: 8200, y: 2000, heading: 0, standing: false }, two)).toBe('attacks the large blue piece');
    const small = stands('p6', 'blue', 'M', 10_000, 6000);
    expect(
      said(LARGE, { x: 8400, y: 6000, heading: 0, standing: false }, [
        FIELD[0]!,
        stands('p5', 'red', 'S', 500, 500),
        small,
      ]),
    ).toBe('attacks the medium blue piece, and ices it');
  });

  it('says why it does not fit', () => {
    expect(said(LARGE, { x: 200, y: 2000, heading: 0, standing: true })).toBe(
      'would stick out over the edge of the field',
    );
    expect(said(LARGE, { x: 4400, y: 4000, heading: 0, standing: true })).toBe(
      'overlaps your medium piece and the large green piece – letting go would be a crash',
    );
    expect(said(LARGE, { x: 4000, y: 3120, heading: 0, standing: true })).toBe(
      'overlaps your medium piece by 0.011 inch',
    );
    const twins = [stands('p1', 'blue', 'S', 5000, 4000), stands('p2', 'blue', 'S', 5600, 4000)];
    expect(said(LARGE, { x: 5300, y: 4300, heading: 0, standing: true }, twins)).toMatch(
      /^overlaps the two small blue pieces/,
    );
    expect(said(LARGE, { x: 2000, y: 2000, heading: 2700, standing: false })).toBe(
      'points at nothing: turn it towards a standing piece',
    );
    expect(said(LARGE, { x: 2000, y: 4000, heading: 0, standing: false })).toBe(
      'points at your medium piece, of its own colour',
    );
    expect(said(LARGE, { x: 6500, y: 2000, heading: 0, standing: false })).toBe(
      'too far from the large blue piece: 2.1 inches away, but it reaches less than 1.8 inches',
    );
  });
});

it('a text names pieces by their numbers', () => {
  expect([...idsIn('Ice the large red piece number 12 with 2 more pieces, not number 3.')]).toEqual(['p12', 'p3']);
  expect(idsIn('Nothing is named.').size).toBe(0);
});
