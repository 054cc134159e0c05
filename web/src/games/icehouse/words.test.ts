import { describe, expect, it } from 'vitest';
import { FIELD, ground, lies, READER, stands } from './fixtures';
import type { Kind } from './acts';
import type { FieldPiece } from './wire';
import {
  attackersOf,
  excess,
  fieldWords,
  idsIn,
  inches,
  lyingWords,
  seenWords,
  verdictWords,
  directionTo,
} from './words';

const LARGE: Kind = { size: 'L', colour: 'red' };

it('rounds inches to a tenth', () => {
  const words = ['0 inches', '0.4 inch', '1 inch', '1.3 inches', '2 inches'];
  expect([40, 400, 1000, 1250, 2000].map(inches)).toEqual(words);
});

it.each([
  [9, 1, 'east'],
  [5, 6, 'northeast'],
  [-1, 9, 'north'],
  [-5, 4, 'northwest'],
  [-9, -1, 'west'],
  [-4, -5, 'southwest'],
  [1, -9, 'south'],
  [5, -4, 'southeast'],
])('names the direction to %d, %d: %s', (x, y, words) => {
  expect(directionTo({ x: 0, y: 0 }, { x, y })).toBe(words);
});

describe('pieces', () => {
  it('are described with their state', () => {
    expect(attackersOf(FIELD[0]!, FIELD).map(({ id }) => id)).toEqual(['p3', 'p4']);
    expect(excess(FIELD[0]!, FIELD)).toBe(2);
    expect(fieldWords(READER, FIELD[0]!, FIELD)).toBe('number 1: your medium, is iced by 2 pips');
    expect(fieldWords(READER, FIELD[1]!, FIELD)).toBe('number 2: large blue, stands free');
    expect(fieldWords(READER, FIELD[3]!, FIELD)).toBe(
      'number 4: small green, attacks your medium number 1, one too many: you may capture it',
    );
  });

  it('are described without numbers to those who see them', () => {
    expect(seenWords(READER, FIELD[1]!, FIELD)).toBe('the large blue piece stands free');
    expect(seenWords(READER, FIELD[3]!, FIELD)).toBe(
      'the small green piece attacks your medium, one too many: you may capture it',
    );
  });

  it('that lie are described with their place', () => {
    expect(lyingWords(READER, FIELD[2]!, FIELD)).toBe(
      'large green number 3 lies 0.4 inch east of your medium number 1, which is iced by 2 pips',
    );
    const stray = lies('p9', 'green', 'S', 2000, 2000, 0, null);
    expect(lyingWords(READER, stray, [stray])).toBe('small green number 9 lies and points at nothing');
  });
});

const GREEN: Kind = { size: 'L', colour: 'green' };
const TWINS = [stands('p1', 'blue', 'S', 5000, 4000), stands('p2', 'blue', 'S', 5600, 4000)];
const FREE = [...FIELD, stands('p5', 'red', 'S', 8000, 6000)];
const LAST = [FIELD[0]!, stands('p5', 'red', 'S', 500, 500), stands('p6', 'blue', 'M', 10_000, 6000)];
const MELTS = 'Too early: a call of meltdown would send it back';

it.each<
  [kind: Kind, pose: [x: number, y: number, heading: number, standing: boolean], words: string, on?: FieldPiece[]]
>([
  [LARGE, [2000, 2000, 0, true], 'OK to stand here'],
  [
    GREEN,
    [4000, 2500, 900, false],
    `attacks your medium piece, which is iced already: this one could be captured. ${MELTS}`,
  ],
  [LARGE, [8200, 2000, 0, false], 'attacks the large blue piece: 1 more pip would ice it', FREE],
  [LARGE, [8400, 6000, 0, false], 'attacks the medium blue piece, and ices it', LAST],
  [LARGE, [200, 2000, 0, true], 'would stick out over the edge of the field: move it in'],
  [
    LARGE,
    [4400, 4000, 0, true],
    'overlaps your medium piece and the large green piece: move it aside – a crash would cost you this piece',
  ],
  [LARGE, [4000, 3120, 0, true], 'overlaps your medium piece: move it aside'],
  [
    LARGE,
    [5300, 4300, 0, true],
    'overlaps the two small blue pieces: move it aside – a crash would cost you this piece',
    TWINS,
  ],
  [LARGE, [2000, 2000, 2700, false], 'points at nothing: turn it towards a standing piece'],
  [LARGE, [2000, 4000, 0, false], 'points at your medium piece, of its own colour: turn it towards another'],
  [
    LARGE,
    [6500, 2000, 0, false],
    'too far from the large blue piece: 2.1 inches away, but it reaches less than 1.8 inches',
  ],
])('judges %j at %j: %s', (kind, [x, y, heading, standing], words, on = FIELD) => {
  const field = ground(on);
  expect(verdictWords(READER, kind, field.judge(kind, { x, y, heading, standing }), field)).toBe(words);
});

it('a text names pieces by their numbers', () => {
  expect([...idsIn('Ice the large red piece number 12 with 2 more pieces, not number 3.')]).toEqual(['p12', 'p3']);
  expect(idsIn('Nothing is named.').size).toBe(0);
});
