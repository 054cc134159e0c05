import { describe, expect, it } from 'vitest';
import { effect, line, people } from '../../app/fixtures';
import { duration, positionAt } from '../../board/flight';
import { cornersOf, facing, gateOf, planOf, planWith, steps, withoutGone } from './board';
import { BOARD, layout, pond, space, SQUAD, VIEW, WRECK } from './fixtures';
import { figureOf, pile, type Piece } from './pieces';
import { planScene } from './scene';
import type { AnyEffect, Layout, View } from './wire';

const SEATS = people('Ann', 'Ben');
const LARGE: Piece = { kind: 'L', colour: 0 };
const SMALL: Piece = { kind: 'S', colour: 1 };

const HEXAGON = layout('hexagon', [
  ...[-0.5, 0.5].map((x, i) => space(`a${i + 1}`, x, 0)),
  ...[-1, 0, 1].map((x, i) => space(`b${i + 1}`, x, 1)),
  ...[-0.5, 0.5].map((x, i) => space(`c${i + 1}`, x, 2)),
]);
const RING = layout(
  'circle',
  [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
    space(`r${i + 1}`, 3 * Math.sin((i * Math.PI) / 4), 3 * Math.cos((i * Math.PI) / 4)),
  ),
);

describe('boards of any shape', () => {
  it('turn in steps that map them onto themselves', () => {
    expect([BOARD, HEXAGON, RING].map(steps)).toEqual([2, 6, 4]);
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
    expect(names(BOARD)[0]).toEqual(['a3', 'b3']);
  });

  it('have directions that turn with them, and a fixed distance of neighbours', () => {
    expect(planOf(BOARD, 'top', 1).headings).toEqual({ n: 270 });
    expect(planOf(HEXAGON, 'top', 1).headings).toEqual({ n: 150 });
    const wide = layout('circle', [space('a1', 0, 0), space('a2', 700, 0), space('a3', 1400, 0)]);
    const { spot } = planOf(wide, 'top', 0);
    expect(spot('a2').x - spot('a1').x).toBeCloseTo(104);
  });

  it('face the seat whose zone is near; its pad turns with the board', () => {
    expect([0, 1].map((seat) => facing(BOARD, seat))).toEqual([0, 1]);
    expect(facing(HEXAGON, 1)).toBe(0);
    expect(cornersOf(BOARD, 2, 1, 1)).toEqual(['ne', 'sw']);
    expect(cornersOf(BOARD, 2, 1, 0)).toEqual(['sw', 'ne']);
  });

  it.each([1, 2, 3, 4])('without sides, look the same to each of %d players, whose own pad is near', (players) => {
    for (let seat = 0; seat < players; seat++) {
      expect([SQUAD, RING].map((one) => facing(one, seat))).toEqual([0, 0]);
      expect(cornersOf(SQUAD, players, seat, 0)[seat]).toBe('sw');
    }
  });

  it.each([0, 1, 2, 3])('with arrows, put the pad of seat %d beside its zone', (seat) => {
    const turn = facing(WRECK, seat);
    expect(planOf(WRECK, 'top', turn).headings[WRECK.forward![seat]!]! % 360).toBe(90);
    expect(cornersOf(WRECK, 4, 0, turn)[seat]).toBe('sw');
    expect(new Set(cornersOf(WRECK, 4, 0, turn)).size).toBe(4);
  });

  it('have a gate for a supply if the zone of its seat is a single space', () => {
    expect([0, 1].map((seat) => gateOf(pond(), seat))).toEqual(['a1', 'i1']);
    expect(gateOf({ ...BOARD, beside: 'supplies' }, 0)).toBeUndefined();
    expect(gateOf({ ...pond(), beside: 'pieces' }, 0)).toBeUndefined();
  });

  it('lose the spaces that are gone, while the others stay where they are', () => {
    const lined = { ...HEXAGON, lines: [['a1', 'b1'] as [string, string], ['b1', 'b2'] as [string, string]] };
    const left = withoutGone(lined, { ...VIEW, gone: ['a1', 'a2'] });
    expect(left.spaces.map(({ name }) => name)).toEqual(['b1', 'b2', 'b3', 'c1', 'c2']);
    expect(left.lines).toEqual([['b1', 'b2']]);
    expect(withoutGone(lined, VIEW)).toBe(lined);
    const whole = planOf(HEXAGON, 'iso', 0);
    const part = planWith(whole, (name) => !name.startsWith('a'));
    expect(part.rows.map((row) => row.length)).toEqual([2, 3]);
    expect(part.box).toEqual(whole.box);
    const at = (name: string) => whole.place(whole.rows.flat().find((one) => one.name === name)!);
    expect([at('a1'), at('b2')].map((point) => part.spaceAt(point))).toEqual([null, 'b2']);
  });

  it('find the space at a point', () => {
    const plan = planOf(HEXAGON, 'iso', 2);
    for (const space of plan.rows.flat()) expect(plan.spaceAt(plan.place(space))).toBe(space.name);
    expect(plan.spaceAt({ x: 9999, y: 0 })).toBeNull();
  });
});

describe('pieces', () => {
  it('nest where they stand, and lie on top of all others', () => {
    const pieces: Piece[] = [
      { kind: 'stone', colour: 'black' },
      LARGE,
      SMALL,
      { kind: 'M', colour: 'clear', heading: 'ne' },
    ];
    const layers = pile(pieces.map((piece) => figureOf(piece, BOARD.kinds, SEATS)));
    expect(layers[0]!.z).toBe(0);
    for (const [i, { z }] of layers.slice(1).entries()) expect(z).toBeGreaterThan(layers[i]!.z);
    expect(layers[3]!.z).toBeGreaterThan(100);
    expect(layers.at(-1)!.topmost).toBe(true);
  });

  it.each<[string, Piece, Layout, object]>([
    ['a die', { kind: 'C3', colour: 1 }, SQUAD, { sides: 4, face: '3', size: null, colour: 'blue' }],
    ['a stone', { kind: 'stone', colour: 'black' }, BOARD, { sides: 0, face: 'S', size: null, colour: 'black' }],
    ['a number', { kind: '6', colour: 1 }, BOARD, { face: '6', size: null }],
    ['a hidden piece', { kind: 'hidden', colour: 'grey' }, BOARD, { face: '?', colour: 'grey' }],
    ['an unknown colour', { kind: 'J', colour: 'gold' }, SQUAD, { size: 'L', colour: 'clear' }],
  ])('show %s', (_, piece, { kinds }, figure) => {
    expect(figureOf(piece, kinds, SEATS)).toMatchObject(figure);
  });
});

const STACKS = { a1: ['0L'], b2: ['0L', '1S'] };

function scene(of: Layout, stacks: View['stacks'], effects: AnyEffect[], carried = false, seat = 0) {
  const spot = (name: string) => ({ x: name.charCodeAt(0) - 97, y: Number(name.slice(1)) });
  const view = { ...VIEW, stacks };
  return planScene(view, view, line('x', effects, seat), { layout: of, seats: SEATS, spot }, carried);
}

describe('a scene', () => {
  const capture = [effect('takes', '1S', 'b2'), effect('moves', '0L', 'a1', 'b2')];

  it('removes a taken piece as the piece that takes it lands', () => {
    const { still, flyers, milliseconds, times } = scene(BOARD, STACKS, capture)!;
    expect([...still.keys()]).toEqual(['b2']);
    const [taken, mover] = flyers;
    expect(taken!.leaves!.start).toBeLessThan(duration(mover!.legs));
    expect(taken!.leaves!.end).toBeLessThanOrEqual(milliseconds);
    expect(positionAt(mover!.legs, milliseconds)).toMatchObject({ x: 1, y: 2 });
    expect(times!['moves']).toEqual([duration(mover!.legs)]);
  });

  it('moves a stack as a whole, and one of its pieces further', () => {
    const moves = [effect('moves', '2 pieces', 'b2', 'c3'), effect('moves', '1S', 'c3', 'd4')];
    const { flyers, still, milliseconds } = scene(BOARD, STACKS, moves)!;
    expect(flyers.map(({ legs }) => positionAt(legs, milliseconds).x)).toEqual([2, 3]);
    expect([...still.keys()]).toEqual(['a1']);
  });

  it('shows new pieces at their time, and turns them half way', () => {
    const puts = [effect('puts', '0M', 'c1'), effect('puts', 'blackstone', 'c2'), effect('turns', '0M>n', 'c1')];
    const [first, second] = scene(BOARD, STACKS, puts)!.flyers;
    expect([first!.appears, second!.appears].map(Boolean)).toEqual([false, true]);
    expect(first!.turns!.figure).toMatchObject({ heading: 'n' });
    expect(first!.turns!.at).toBeLessThan(duration(first!.legs));
  });

  it.each<[string, AnyEffect[]]>([
    ['two moves', [effect('moves', '0L', 'a1', 'c1'), effect('moves', '1L', 'c1', 'a1')]],
    ['a swap', [effect('swaps', '0L 1L', 'a1', 'c1')]],
  ])('changes the places of two pieces by %s', (_, effects) => {
    const { flyers, milliseconds } = scene(BOARD, { a1: ['0L'], c1: ['1L'] }, effects)!;
    const ends = flyers.map(({ figure, legs }) => [figure.colour, positionAt(legs, milliseconds).x]);
    expect(Object.fromEntries(ends)).toEqual({ red: 2, blue: 0 });
  });

  it('lands on each space of a way', () => {
    const { times } = scene(BOARD, STACKS, [effect('hops', '0L', 'a1', 'a2', 'b2')])!;
    expect(times!['hops']).toHaveLength(2);
  });

  it('brings a piece in where its way begins, low on a step and over what it crosses', () => {
    const stacks = { b2: ['1L', '1S'] };
    const { flyers, still } = scene(pond(), stacks, [effect('path', '0M', 'a1', 'c5', 'c4')])!;
    expect([...still.keys()]).toEqual(['b2']);
    const [hop, step] = flyers[0]!.legs.filter(({ milliseconds }) => milliseconds > 0);
    expect(positionAt([hop!, step!], 0)).toMatchObject({ x: 0, y: 1, z: 0 });
    expect(positionAt([hop!], hop!.milliseconds / 2).z).toBeGreaterThan(positionAt([step!], step!.milliseconds / 2).z);
    expect(positionAt([step!], step!.milliseconds / 2).z).toBeLessThan(20);
  });

  it('is not needed for a carried piece, or if nothing moves', () => {
    expect(scene(BOARD, STACKS, [effect('moves', '0L', 'a1', 'c1')], true)).toBeNull();
    expect(scene(BOARD, STACKS, [effect('puts', '0L', 'c1')], true)).toBeNull();
    expect(scene(BOARD, STACKS, [])).toBeNull();
    expect(scene(BOARD, STACKS, [effect('die', '6')], false, -1)!.drawn).toBe(true);
  });

  const stunts = [
    effect('formation', '0S', 'c2'),
    effect('stunt', '0C2', 'c1', 'c2', 'c3'),
    effect('stunt', '1C3', 'd2', 'c2', 'b2'),
    effect('fall', '0F', 'b1'),
    effect('fall', '0S', 'c2'),
  ];
  const friends: View['stacks'] = {
    b1: ['0F'],
    c1: ['0C1'],
    d2: ['1C2'],
  };

  it('has captains leap together over a new friend, then friends fall away from them', () => {
    const { flyers, milliseconds } = scene(SQUAD, friends, stunts)!;
    const [newcomer, first, second, fallen] = flyers;
    expect(positionAt(newcomer!.legs, 0).z).toBeGreaterThan(0);
    expect(first!.spins).toEqual(second!.spins);
    expect([first!, second!].map(({ figure, turns }) => [figure.face, turns!.figure.face])).toEqual([
      ['1', '2'],
      ['2', '3'],
    ]);
    const { start, end } = first!.spins!;
    expect(positionAt(newcomer!.legs, start).z).toBe(0);
    expect(positionAt(first!.legs, (start + end) / 2).z).toBeGreaterThan(90);
    expect(positionAt(first!.legs, end)).toMatchObject({ x: 2, y: 3, z: 0 });
    expect([fallen!.side, newcomer!.side]).toEqual([-1, 1]);
    for (const { leaves } of [fallen!, newcomer!])
      expect(leaves).toEqual({ start: milliseconds - 620, end: milliseconds });
    expect(fallen!.leaves!.start).toBeGreaterThan(end);
  });

  it('is shorter if the friend was carried to its place', () => {
    const carried = scene(SQUAD, friends, stunts, true)!;
    expect(carried.milliseconds).toBeLessThan(scene(SQUAD, friends, stunts)!.milliseconds);
    expect(positionAt(carried.flyers[0]!.legs, 0).z).toBe(0);
  });

  it('lights up a shape, then throws what it takes off the board and turns the coin', () => {
    const stacks = { b2: ['0Q'], c5: ['1P'] };
    const effects = [
      effect('moves', '0Q', 'b2', 'b4'),
      effect('forms', 'resolved', 'b4', 'b6', 'd4', 'd6'),
      effect('captures', '1P', 'c5'),
      effect('coin', 'tails'),
    ];
    const { flyers, glow, coin, times, milliseconds } = scene(WRECK, stacks, effects)!;
    const { leaves, legs } = flyers[1]!;
    expect(glow!.start).toBe(duration(flyers[0]!.legs));
    expect(leaves!.start).toBe(glow!.start + 900);
    expect(coin!.start).toBe(leaves!.start);
    expect([coin!.end, glow!.end]).toEqual([milliseconds, leaves!.end]);
    expect(times).toMatchObject({ forms: [glow!.start], captures: [leaves!.start], coin: [coin!.start] });
    expect(positionAt(legs, leaves!.end).x).toBeLessThan(-200);
    expect(positionAt(legs, leaves!.start)).toMatchObject({ x: 2, y: 5, z: 0 });
  });

  it('rolls a die that the game records no effect for', () => {
    expect(scene(WRECK, {}, [], false, -1)).toBeNull();
    const view = { ...VIEW, stacks: {} };
    const setting = { layout: WRECK, seats: SEATS, spot: () => ({ x: 0, y: 0 }) };
    expect(planScene(view, view, line('die:swap', [], -1), setting, false)).toMatchObject({ drawn: true, coin: null });
  });

  it('shows the face of a captain that is placed', () => {
    const [captain] = scene(SQUAD, { a1: ['0C1'] }, [effect('captain', '0C', 'a1')])!.flyers;
    expect(captain!.figure).toMatchObject({ sides: 4, face: '1' });
  });
});
