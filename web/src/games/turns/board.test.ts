import { describe as group, expect, it } from 'vitest';
import { line as lineOf, people, VIEW as ANY } from '../../app/fixtures';
import { duration, positionAt } from '../../board/flight';
import { facing, planOf, quartersPast, steps } from './board';
import { secretWords, brief, describe, facts, reason, say, scoreNews, spaceWords, touched } from './game';
import { lettersOf, pieceWords, pile, readPiece } from './pieces';
import { planScene } from './scene';
import type { AnyEffect, Layout, Piece, Space, View } from './wire';

const SEATS = people('Ann', 'Ben');
const [LARGE, SMALL]: Piece[] = [
  { size: 'L', colour: 0, heading: null },
  { size: 'S', colour: 1, heading: null },
];
const LYING: Piece = { size: 'M', colour: 'clear', heading: 'ne' };
const UNSEEN = { name: 'hidden', colour: 'grey' };
const STONE: Piece = { name: 'stone', colour: 'black' };
const VIEW: View = {
  ...ANY,
  cooperative: false,
  stacks: { a1: [LARGE!], b2: [LARGE!, SMALL!] },
  pads: [[], []],
  turn: 3,
  out: [],
  asked: [],
  own: {},
};
const line = lineOf<AnyEffect>;

function space(name: string, x: number, y: number, more: Partial<Space> = {}): Space {
  return { name, x, y, zone: null, colour: null, ...more };
}

function layout(shape: Layout['shape'], spaces: Space[]): Layout {
  return { workshop: true, shape, spaces, lines: [], headings: { n: 90 }, beside: 'pieces' };
}

const SQUARES = layout(
  'square',
  [0, 1, 2].flatMap((y) => [0, 1].map((x) => space(`${'ab'[x]}${y + 1}`, x, y, { zone: y === 2 ? 1 : 0 }))),
);
const HEXAGON = layout('hexagon', [
  ...[-0.5, 0.5].map((x, i) => space(`a${i + 1}`, x, 0)),
  ...[-1, 0, 1].map((x, i) => space(`b${i + 1}`, x, 1)),
  ...[-0.5, 0.5].map((x, i) => space(`c${i + 1}`, x, 2)),
]);
const RING = layout(
  'circle',
  Array.from({ length: 8 }, (_, i) =>
    space(`r${i + 1}`, 3 * Math.sin((i * Math.PI) / 4), 3 * Math.cos((i * Math.PI) / 4)),
  ),
);

function spot(name: string) {
  return { x: name.charCodeAt(0) - 97, y: Number(name.slice(1)) };
}

group('boards of any shape', () => {
  it('turn in steps that map them onto themselves', () => {
    expect([SQUARES, HEXAGON, RING].map(steps)).toEqual([2, 6, 4]);
    expect(steps(layout('hexagon', [...HEXAGON.spaces, space('c3', 1.5, 2)]))).toBe(2);
  });

  it('are sorted into rows for arrow keys, far ones first, without losing a space', () => {
    const names = (board: Layout, turn = 0) =>
      planOf(board, 'iso', turn).rows.map((row) => row.map(({ name }) => name));
    expect(names(HEXAGON)).toEqual([
      ['c1', 'c2'],
      ['b1', 'b2', 'b3'],
      ['a1', 'a2'],
    ]);
    expect(names(HEXAGON, 3)[0]).toEqual(['a2', 'a1']);
    expect(names(RING)).toEqual([['r1'], ['r8', 'r2'], ['r7', 'r3'], ['r6', 'r4'], ['r5']]);
    expect(names(SQUARES)[0]).toEqual(['a3', 'b3']);
  });

  it('have directions that turn with them, and a fixed distance of neighbours', () => {
    expect(planOf(SQUARES, 'top', 1).headings).toEqual({ n: 270 });
    expect(planOf(HEXAGON, 'top', 1).headings).toEqual({ n: 150 });
    const wide = layout('circle', [space('a1', 0, 0), space('a2', 700, 0), space('a3', 1400, 0)]);
    const { spot } = planOf(wide, 'top', 0);
    expect(spot('a2').x - spot('a1').x).toBeCloseTo(104);
  });

  it('face the seat whose zone is near, and measure the turn past that', () => {
    expect([0, 1].map((seat) => facing(SQUARES, seat))).toEqual([0, 1]);
    expect(facing(HEXAGON, 1)).toBe(0);
    expect(quartersPast(SQUARES, 1, 1)).toBe(0);
    expect(quartersPast(SQUARES, 1, 0)).toBe(2);
  });

  it('find the space at a point', () => {
    const plan = planOf(HEXAGON, 'iso', 2);
    for (const space of plan.rows.flat()) expect(plan.spaceAt(plan.place(space))).toBe(space.name);
    expect(plan.spaceAt({ x: 9999, y: 0 })).toBeNull();
  });
});

group('piles', () => {
  it('nest standing pyramids, and put all other pieces on top', () => {
    const layers = pile([STONE, LARGE!, SMALL!, LYING]);
    expect(layers[0]!.z).toBe(0);
    for (const [i, { z }] of layers.slice(1).entries()) expect(z).toBeGreaterThan(layers[i]!.z);
    expect(layers[3]!.z).toBeGreaterThan(100);
    expect(layers.at(-1)!.topmost).toBe(true);
  });

  it.each([
    ['0L', LARGE],
    ['clearM>ne', LYING],
    ['blackstone', STONE],
    ['16', { name: '6', colour: 1 }],
    ['greyhidden', UNSEEN],
    ['redS', { size: 'S', colour: 'red', heading: null }],
  ])('contain %s, known by its name', (name, piece) => {
    expect(readPiece(name)).toEqual(piece);
  });

  it('show hidden pieces as a question mark', () => {
    expect(lettersOf(UNSEEN)).toBe('?');
    expect(pieceWords(UNSEEN, SEATS)).toBe('hidden piece');
  });
});

const CAPTURE = line('a1-b2', [
  { kind: 'takes', spaces: ['b2'], value: '1S' },
  { kind: 'moves', spaces: ['a1', 'b2'], value: '0L' },
  { kind: 'scores', spaces: [], value: '0:+1' },
]);

group('scenes', () => {
  it('remove a taken piece as the piece that takes it lands', () => {
    const scene = planScene(VIEW, CAPTURE, spot, false)!;
    expect(scene.still).toEqual({ b2: [LARGE] });
    const [taken, mover] = scene.flyers;
    expect(taken!.leaves!.start).toBeLessThan(duration(mover!.legs));
    expect(taken!.leaves!.end).toBeLessThanOrEqual(scene.milliseconds);
    expect(positionAt(mover!.legs, scene.milliseconds)).toMatchObject({ x: 1, y: 2 });
    expect(scene.times!['moves']).toEqual([duration(mover!.legs)]);
  });

  it('move a stack as a whole, and one of its pieces further', () => {
    const both = line('b2-c3-d4', [
      { kind: 'moves', spaces: ['b2', 'c3'], value: '2 pieces' },
      { kind: 'moves', spaces: ['c3', 'd4'], value: '1S' },
    ]);
    const { flyers, still, milliseconds } = planScene(VIEW, both, spot, false)!;
    expect(flyers.map(({ legs }) => positionAt(legs, milliseconds).x)).toEqual([2, 3]);
    expect(still).toEqual({ a1: [LARGE] });
  });

  it('show new pieces at their time, and turn them half way', () => {
    const placed = line('x', [
      { kind: 'puts', spaces: ['c1'], value: '0M' },
      { kind: 'puts', spaces: ['c2'], value: 'blackstone' },
      { kind: 'turns', spaces: ['c1'], value: '0M>n' },
    ]);
    const { flyers } = planScene(VIEW, placed, spot, false)!;
    expect(flyers.map(({ appears }) => appears > 0)).toEqual([false, true]);
    expect(flyers[0]!.turns!.piece).toMatchObject({ heading: 'n' });
    expect(flyers[0]!.turns!.at).toBeLessThan(duration(flyers[0]!.legs));
  });

  it('need no flight for a carried piece, or if nothing moves', () => {
    const carried = line('a1-c1', [{ kind: 'moves', spaces: ['a1', 'c1'], value: '0L' }]);
    expect(planScene(VIEW, carried, spot, true)).toBeNull();
    expect(planScene(VIEW, line('pass'), spot, false)).toBeNull();
    expect(planScene(VIEW, line('die:6', [{ kind: 'die', spaces: [], value: '6' }], -1), spot, false)!.drawn).toBe(
      true,
    );
  });
});

group('words', () => {
  it('describe a space and its pieces from the top down', () => {
    const b2 = space('b2', 1, 1, { zone: 1, colour: 'yellow' });
    expect(spaceWords(b2, VIEW, SEATS, 'can be chosen')).toBe(
      "b2: small blue pyramid on large red pyramid, yellow space, Ben's zone, can be chosen",
    );
    expect(spaceWords(space('c1', 2, 0), VIEW, SEATS, '')).toBe('c1: empty');
  });

  it.each<[string, number, AnyEffect[], string, string]>([
    [
      'a1-b2',
      0,
      CAPTURE.effects,
      'Ann: small blue pyramid is taken from b2, large red pyramid moves from a1 to b2, scores 1 point.',
      'a1–b2, takes small blue pyramid, +1',
    ],
    ['roll:135', -1, [{ kind: 'roll', spaces: [], value: '135' }], 'The dice show 135.', 'roll: 135'],
    ['deal:3,12', -1, [{ kind: 'deal', spaces: [], value: '3,12' }], 'Dealt 3,12.', 'deal: 3,12'],
    ['a1', 0, [{ kind: 'turns', spaces: ['a1'], value: '03' }], 'Ann: a1. Red 3 comes up on a1.', 'a1'],
    ['die:hop', -1, [{ kind: 'die', spaces: [], value: 'hop' }], 'The die shows hop.', 'die: hop'],
    ['pass', 1, [], 'Ben: pass.', 'pass'],
    ['chooses', 1, [], 'Ben has chosen.', 'has chosen'],
    [
      'choose:rock',
      1,
      [
        { kind: 'reveals', spaces: [], value: '0:a1-b2' },
        { kind: 'reveals', spaces: [], value: '1:rock' },
        { kind: 'scores', spaces: [], value: '0:+2' },
        { kind: 'eliminates', spaces: [], value: 1 },
      ],
      'Ann chose a1-b2, Ben chose rock, Ann scores 2 points, Ben is out.',
      'Ann: a1–b2, Ben: rock, Ann +2, Ben is out',
    ],
    [
      'a1>ne',
      0,
      [{ kind: 'turns', spaces: ['a1'], value: 'clearM>ne' }],
      'Ann: medium clear pyramid that points north-east lies on a1.',
      'a1 points north-east',
    ],
    [
      'b2-c3',
      1,
      [{ kind: 'moves', spaces: ['b2', 'c3'], value: '2 pieces' }],
      'Ben: 2 pieces move from b2 to c3.',
      'b2–c3',
    ],
    ['a1>ne', 0, [], 'Ann: a1 north-east.', 'a1 north-east'],
    [
      'choose:S@b3',
      1,
      [{ kind: 'reveals', spaces: [], value: '1:S@b3' }],
      'Ben chose small on b3.',
      'Ben: small on b3',
    ],
    ['choose:S@b3', 0, [], 'Ann: chooses small on b3.', 'chooses small on b3'],
    ['S@b3', 1, [], 'Ben: small on b3.', 'small on b3'],
    ['L@b3>n', 1, [], 'Ben: large on b3, points north.', 'large on b3, points north'],
    [
      'L@b3>n',
      1,
      [
        { kind: 'spends', spaces: [], value: '1:1L' },
        { kind: 'puts', spaces: ['b3'], value: '1L>n' },
      ],
      'Ben: large blue pyramid that points north comes to b3.',
      'large on b3, points north',
    ],
    [
      'hop',
      1,
      [{ kind: 'moves', spaces: ['b2', 'c3'], value: '1S' }],
      'Ben: hop. Small blue pyramid moves from b2 to c3.',
      'hop',
    ],
  ])('describe %s with its effects', (text, seat, effects, words, short) => {
    expect(say(SQUARES, line(text, effects, seat), SEATS)).toBe(words);
    expect(brief(SQUARES, line(text, effects, seat), SEATS)).toBe(short);
  });

  it('describe the position, with readable values of the game', () => {
    const view = {
      ...VIEW,
      own: { target: 3, last_face: 'hop', last: { tuple: ['a1'] } },
      out: [1],
      pads: [[STONE, STONE], []],
    };
    expect(facts(view).map(({ name, value }) => `${name} ${value}`)).toEqual(['Target 3', 'Last face hop']);
    const text = describe(SQUARES, view, SEATS);
    for (const words of ['a1: large red pyramid', 'Ann has 2 times black stone.', 'Ben is out.', 'Target: 3.']) {
      expect(text).toContain(words);
    }
  });

  it('name players who still have to choose in secret', () => {
    expect(secretWords({ ...VIEW, asked: [0, 1] }, SEATS, 0)).toContain('Choose in secret');
    expect(secretWords({ ...VIEW, asked: [1] }, SEATS, null)).toBe('Ben is still to choose in secret.');
    expect(secretWords(VIEW, SEATS, 0)).toBe('');
  });

  it('show the scores at the end, and the spaces that an act touched', () => {
    expect(reason(SQUARES, { ...VIEW, scores: [4, 2] }, SEATS)).toBe('Your score is 4 and Ben’s score is 2.');
    expect(reason(SQUARES, VIEW, SEATS)).toBe('');
    expect(reason(SQUARES, { ...VIEW, over: true, winners: [1], scores: [0, 1] }, SEATS)).toBe('');
    expect(touched(CAPTURE)).toEqual(['a1', 'b2']);
  });
});

it('changes of points that no effect reports are announced', () => {
  const before = { ...VIEW, scores: [4, 3] };
  const after = (scores: number[], ...effects: AnyEffect[]) =>
    scoreNews(before, { seq: 1, line: line('a1-b2', effects), view: { ...VIEW, scores }, legal: {} }, SEATS);
  expect(after([7, 2])).toBe('Ann scores 3 points, and has 7. Ben loses 1 point, and has 2.');
  expect(after([7, 3], { kind: 'scores', spaces: [], value: '0:+3' })).toBe('');
  expect(after([8, 3], { kind: 'scores', spaces: [], value: '0:+3' })).toBe('Ann scores 1 point, and has 8.');
  expect(after([4, 3])).toBe('');
});
