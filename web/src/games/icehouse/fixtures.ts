/** Small positions for tests. */

import { people, VIEW } from '../../app/fixtures';
import { Ground } from './placing';
import type { AnyEffect, Colour, FieldPiece, Layout, Line, View } from './wire';
import type { Reader } from './words';

export const LAYOUT: Layout = {
  width: 12_000,
  height: 8_000,
  lengths: { S: 1039, M: 1429, L: 1820 },
  tolerance: 30_000,
  bases: { S: 562.5, M: 781.25, L: 1000 },
  along_ray: false,
  crashes: true,
  prevents: false,
  gift_time: 10_000,
  safe: 8,
  goal: 'The most pips.',
  colours: ['red', 'green', 'blue'],
};

export const SEATS = people('Ann', 'Ben', 'Cem').map((person) => ({ ...person, colour: LAYOUT.colours[person.seat]! }));

export const READER: Reader = { layout: LAYOUT, seats: SEATS, seat: 0 };

export function stands(
  id: string,
  colour: Colour,
  size: FieldPiece['size'],
  x: number,
  y: number,
  iced = false,
): FieldPiece {
  return { id, colour, size, x, y, heading: 0, standing: true, points_at: null, valid: null, iced, redundant: null };
}

export function lies(
  id: string,
  colour: Colour,
  size: FieldPiece['size'],
  x: number,
  y: number,
  heading: number,
  points_at: string | null,
  more: Partial<FieldPiece> = {},
): FieldPiece {
  const valid = points_at !== null;
  return { id, colour, size, x, y, heading, standing: false, points_at, valid, iced: null, redundant: false, ...more };
}

/** Ben's small and large ice Ann's medium; Cem stands free. Without the small, the medium would be free. */
export const FIELD: FieldPiece[] = [
  stands('p1', 'red', 'M', 4000, 4000, true),
  stands('p2', 'blue', 'L', 10_000, 2000),
  // The length is 1820, so the tip is 910 from the middle; half the target's base is 390.
  lies('p3', 'green', 'L', 5700, 4000, 180, 'p1'),
  lies('p4', 'green', 'S', 4000, 5200, 270, 'p1', { redundant: true }),
];

export function ground(pieces: FieldPiece[] = FIELD, layout: Layout = LAYOUT): Ground {
  return new Ground(layout, pieces);
}

export function view(more: Partial<View> = {}): View {
  return {
    ...VIEW,
    to_act: [-1, 0, 1, 2],
    scores: [0, 4, 3],
    ready: [0, 1, 2],
    field: FIELD,
    pads: [{ red: { S: 5, L: 4 }, green: { M: 1 } }, { green: { S: 1 } }, {}],
    hands: ['L:red', null, null],
    in_icehouse: [],
    owed: {},
    ...more,
  };
}

/** An act with effects such as "gives green,red S:green": kind, spaces and value. */
export function line(text: string, seat: number, ...effects: string[]): Line {
  return { seq: 7, seat, text, effects: effects.map(effect) };
}

function effect(text: string): AnyEffect {
  const [kind, spaces = '', value = ''] = text.split(' ');
  const known = /^\d+$/.test(value) ? Number(value) : value || null;
  return { kind, spaces: spaces === '' ? [] : spaces.split(','), value: known } as AnyEffect;
}
