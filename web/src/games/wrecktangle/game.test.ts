import { describe as group, expect, it } from 'vitest';
import { line as lineOf, people, VIEW as ANY } from '../../app/fixtures';
import { gone, positionAt } from '../../board/flight';
import {
  actText,
  describe,
  isByDie,
  isPickable,
  lossWords,
  phaseWords,
  pickWords,
  readMove,
  reason,
  rectangleWords,
  rollOf,
  say,
  sortActs,
  squareWords,
  touched,
  wreckRole,
  type WreckHand,
} from './game';
import { coinBefore, planScene, rectanglesOf } from './scene';
import type { AnyEffect, Layout, Line, Square, View } from './wire';

const SQUARES = [...'abcdefgh'].flatMap((file, x) =>
  [...'12345678'].flatMap((rank, y): Square[] => {
    if (x % 7 === 0 && y % 7 === 0) return [];
    return [{ name: file + rank, x, y, home: y === 0 ? 0 : y === 7 ? 1 : null }];
  }),
);
const LAYOUT: Layout = { squares: SQUARES, seats: [] };
const SEATS = people('Ann', 'Blue');
const VIEW: View = {
  ...ANY,
  turn: 6,
  turn_of: 0,
  roll: 'swap',
  normal_owed: true,
  normal_possible: true,
  die_unused: true,
  coin: 'heads',
  pieces: { b2: '0Q', d4: '0D', e1: '0P', c3: '1P', f6: '1Q' },
  lost: [1, 0],
  last: [[], []],
  out: [],
  turn_limit: 400,
  threats: [],
};
const LEGAL = sortActs(['b2-b4', '~b2*c3', '~c3*d4', '~f6-f5', 'end']);
const line = lineOf<AnyEffect>;

function hand(picked: string | null, acting: number | null = 0, view = VIEW): WreckHand {
  return { view, acting, legal: acting === null ? new Map() : LEGAL, picked };
}

function square(name: string): Square {
  return SQUARES.find((known) => known.name === name)!;
}

const FORMS = line('b2-b4', [
  { kind: 'moves', spaces: ['b2', 'b4'], value: '0Q' },
  { kind: 'forms', spaces: ['b4', 'b6', 'd4', 'd6'], value: 'resolved' },
  { kind: 'captures', spaces: ['c5'], value: '1P' },
  { kind: 'coin', spaces: [], value: 'tails' },
  { kind: 'out', spaces: [], value: 1 },
  { kind: 'removes', spaces: ['f6'], value: '1Q' },
]);

group('acts', () => {
  it('are read', () => {
    expect(readMove('d1-d3')).toEqual({ die: false, swap: false, from: 'd1', to: 'd3' });
    expect(readMove('~d1*e8')).toEqual({ die: true, swap: true, from: 'd1', to: 'e8' });
    expect(readMove('end')).toBeNull();
    expect(rollOf(line('die:diag-away', [], -1))).toBe('diag-away');
    expect(rollOf(line('d1-d3', []))).toBeNull();
    expect(touched(line('~d8-d7', []))).toEqual(['d8', 'd7']);
    expect(touched(line('end', []))).toEqual([]);
  });

  it('swap from either side', () => {
    expect(LEGAL.get('b2')!.get('c3')).toBe('~b2*c3');
    expect(LEGAL.get('c3')!.get('b2')).toBe('~b2*c3');
    expect([...LEGAL.keys()]).toEqual(['b2', 'c3', 'd4', 'f6']);
  });

  it('are attempted in the most likely way', () => {
    expect(actText(VIEW, 'b2', 'b5')).toBe('b2-b5');
    expect(actText(VIEW, 'f6', 'f4')).toBe('~f6-f4');
    expect(actText(VIEW, 'f6', 'b2')).toBe('~b2*f6');
    expect(actText({ ...VIEW, roll: 'away' }, 'b2', 'c3')).toBe('b2-c3');
    expect(actText({ ...VIEW, normal_owed: false }, 'b2', 'b3')).toBe('~b2-b3');
  });

  it('start from own pyramids and those that the die may move', () => {
    expect(['e1', 'f6', 'c3', 'a4'].map((name) => isPickable(hand(null), name))).toEqual([true, true, true, false]);
    expect(isPickable(hand(null, 0, { ...VIEW, pieces: { g7: '1D' } }), 'g7')).toBe(false);
    expect(isPickable(hand(null, null), 'e1')).toBe(false);
  });

  it('distinguish normal moves from die moves', () => {
    expect(wreckRole(hand(null), 'b2')).toBe('movable');
    expect(isByDie(hand(null), 'b2')).toBe(false);
    expect(isByDie(hand(null), 'f6')).toBe(true);
    expect(isByDie(hand(null), 'e1')).toBe(false);
    expect(wreckRole(hand('b2'), 'b4')).toBe('free');
    expect(isByDie(hand('b2'), 'b4')).toBe(false);
    expect(wreckRole(hand('b2'), 'c3')).toBe('cover');
    expect(isByDie(hand('b2'), 'c3')).toBe(true);
  });
});

group('words', () => {
  it('describe a square', () => {
    expect(squareWords(hand(null), square('b2'), SEATS)).toBe('b2: red queen, can move');
    expect(squareWords(hand(null), square('f6'), SEATS)).toBe('f6: blue queen, can move by the die');
    expect(squareWords(hand('b2'), square('b4'), SEATS)).toBe('b4: empty, legal destination');
    expect(squareWords(hand('f6'), square('f5'), SEATS)).toBe('f5: empty, legal destination by the die');
    expect(squareWords(hand('b2'), square('c3'), SEATS)).toBe('c3: blue pawn, can change places');
    expect(squareWords(hand('b2'), square('b2'), SEATS)).toBe('b2: red queen, picked up');
    expect(squareWords(hand(null), square('c8'), SEATS)).toBe('c8: blue home row, empty');
    expect(pickWords(hand('b2'), SEATS)).toBe('Picked the red queen on b2: 2 destinations.');
    expect(pickWords(hand(null), SEATS)).toBe('');
  });

  it('describe the phase', () => {
    expect(phaseWords(VIEW)).toBe('move to do, die move optional');
    expect(phaseWords({ ...VIEW, normal_possible: false })).toBe('move not possible, die move optional');
    expect(phaseWords({ ...VIEW, normal_owed: false, die_unused: false })).toBe('move done, die move done');
    expect(phaseWords({ ...VIEW, roll: null })).toBe('rolling the die');
    expect(phaseWords({ ...VIEW, over: true })).toBe('');
  });

  it('describe losses', () => {
    expect(lossWords(VIEW, 0)).toBe('1 of 3 lost');
    expect(lossWords({ ...VIEW, out: [0] }, 0)).toBe('out');
  });

  it('describe rectangles, and why they do not count', () => {
    expect(rectangleWords(FORMS)).toBe('rectangle b4–d6 captures a pawn');
    const idle = line('b2-b4', [
      { kind: 'forms', spaces: ['b1', 'b4', 'd1', 'd4'], value: 'home-row' },
      { kind: 'forms', spaces: ['b4', 'b6', 'd4', 'd6'], value: 'repeated' },
      { kind: 'forms', spaces: ['b4', 'b5', 'd4', 'd5'], value: 'resolved' },
    ]);
    expect(rectangleWords(idle)).toBe(
      'rectangle b4–d5 captures nothing; rectangle b1–d4 has a corner in a home row and captures nothing; ' +
        'rectangle b4–d6 captured last and does not count again',
    );
    const two = line('b2-b4', [
      { kind: 'forms', spaces: ['b4', 'b6', 'd4', 'd6'], value: 'resolved' },
      { kind: 'forms', spaces: ['b4', 'c3', 'd6', 'e5'], value: 'resolved' },
      { kind: 'captures', spaces: ['c5'], value: '1P' },
      { kind: 'captures', spaces: ['c4'], value: '1P' },
      { kind: 'captures', spaces: ['d5'], value: '1Q' },
    ]);
    expect(rectangleWords(two)).toBe('rectangles b4–d6 and b4 c3 d6 e5 capture a queen and 2 pawns');
    expect(rectangleWords(null)).toBe('');
  });

  it('describe acts', () => {
    expect(say(LAYOUT, line('d1-d3', [{ kind: 'moves', spaces: ['d1', 'd3'], value: '0Q' }]), SEATS)).toBe(
      'Ann moves the red queen from d1 to d3.',
    );
    expect(say(LAYOUT, line('~d8-d7', [{ kind: 'moves', spaces: ['d8', 'd7'], value: '1D' }]), SEATS)).toBe(
      "Ann moves Blue's drone from d8 to d7 by the die.",
    );
    expect(say(LAYOUT, line('~d1*e8', [{ kind: 'swaps', spaces: ['d1', 'e8'], value: '0Q 1P' }], 1), SEATS)).toBe(
      "Blue swaps Ann's red queen on d1 and the blue pawn on e8 by the die.",
    );
    expect(say(LAYOUT, line('end', [{ kind: 'turn', spaces: [], value: 1 }]), SEATS)).toBe('Ann ends the turn.');
    expect(say(LAYOUT, line('die:swap', [], -1), SEATS)).toBe('The die shows swap.');
    expect(say(LAYOUT, line('die:away', [{ kind: 'turn', spaces: [], value: 1 }], -1), SEATS)).toBe(
      "The die shows away; nothing can move, and it is Blue's turn.",
    );
    const last = line('d1-d3', [
      { kind: 'moves', spaces: ['d1', 'd3'], value: '0D' },
      { kind: 'draw', spaces: [], value: 'WT-18' },
    ]);
    expect(say(LAYOUT, last, SEATS)).toBe('Ann moves the red drone from d1 to d3; the game is drawn.');
    expect(say(LAYOUT, FORMS, SEATS)).toBe(
      "Ann moves the red queen from b2 to b4; rectangle b4–d6 captures a pawn; Blue's pawn on c5 is captured; " +
        'the coin turns to tails; Blue is out.',
    );
  });

  it('describe the position', () => {
    expect(describe(LAYOUT, VIEW, SEATS)).toBe(
      "Turn 7 of at most 400, Ann's: the die shows swap, move to do, die move optional. Coin: heads. " +
        'Ann (red) has lost 1: queen b2, drone d4 and pawn e1. Blue (blue) has lost 0: pawn c3 and queen f6.',
    );
    const won = { ...VIEW, over: true, winners: [0], to_act: [], out: [1], pieces: {} };
    expect(describe(LAYOUT, won, SEATS)).toMatch(/^Ann has won\..*Blue \(blue\) is out: nothing on the board\.$/);
  });
});

group('rectangles', () => {
  it('are lit by the side of the coin before the act', () => {
    expect(coinBefore(FORMS, 'tails')).toBe('heads');
    expect(coinBefore(line('b2-b4', []), 'tails')).toBe('tails');
    expect(rectanglesOf(FORMS, 'heads')).toEqual([{ corners: ['b4', 'b6', 'd4', 'd6'], coin: 'heads' }]);
    const idle = line('b2-b4', [{ kind: 'forms', spaces: ['b1', 'b4', 'd1', 'd4'], value: 'home-row' }]);
    expect(rectanglesOf(idle, 'heads')[0]!.coin).toBeNull();
  });
});

group('planScene', () => {
  const plan = (text: Line, carried = false) => planScene(VIEW, text, SQUARES, SEATS, carried);

  it('rolls the die', () => {
    const scene = plan(line('die:wild', [], -1))!;
    expect(scene.roll).toEqual({ start: 0, end: scene.milliseconds });
    expect(scene.travellers).toEqual([]);
  });

  it('moves one pyramid', () => {
    const scene = plan(line('b2-b4', []))!;
    const [mover, ...others] = scene.travellers;
    expect(others).toEqual([]);
    expect(mover).toMatchObject({ square: 'b4', piece: { size: 'L', colour: 'red' }, leaves: null });
    expect(positionAt(mover!.legs, 0)).toMatchObject({ x: 1, y: 1 });
    expect(positionAt(mover!.legs, scene.milliseconds)).toMatchObject({ x: 1, y: 3, z: 0 });
    expect(scene.glow).toBeNull();
    expect(plan(line('b2-b4', []), true)).toBeNull();
    expect(plan(line('end', []))).toBeNull();
  });

  it('swaps two pyramids without a collision', () => {
    const scene = plan(line('~b2*c3', []))!;
    const halfway = scene.travellers.map(({ legs }) => positionAt(legs, scene.milliseconds / 2));
    expect(scene.travellers.map(({ square }) => square)).toEqual(['c3', 'b2']);
    expect(halfway[0]!.x).toBeCloseTo(halfway[1]!.x);
    expect(Math.abs(halfway[0]!.z - halfway[1]!.z)).toBeGreaterThan(40);
  });

  it('lights the rectangle, then removes captured pyramids and turns the coin', () => {
    const scene = plan(FORMS)!;
    const leaving = scene.travellers.filter(({ leaves }) => leaves !== null);
    expect(leaving.map(({ square }) => square)).toEqual(['c5', 'f6']);
    for (const mover of leaving) {
      expect(mover.leaves!.start).toBeGreaterThan(scene.glow!.start);
      expect(gone(mover, mover.leaves!.start)).toBe(0);
      expect(gone(mover, scene.milliseconds)).toBe(1);
    }
    const [left, right] = leaving.map(({ legs }) => positionAt(legs, scene.milliseconds));
    expect(left!.x).toBeLessThan(2);
    expect(right!.x).toBeGreaterThan(5);
    expect(scene.coin!.start).toBeGreaterThan(scene.glow!.start);
    expect(scene.milliseconds).toBeGreaterThanOrEqual(scene.coin!.end);
  });

  it('removes a pyramid that the same swap moves inside', () => {
    const caught = line('~b2*c3', [
      { kind: 'forms', spaces: ['c3', 'c5', 'e3', 'e5'], value: 'resolved' },
      { kind: 'captures', spaces: ['b2'], value: '1P' },
    ]);
    const prey = plan(caught)!.travellers.find(({ square }) => square === 'b2')!;
    expect(prey.piece).toEqual({ size: 'S', colour: 'blue' });
    expect(positionAt(prey.legs, 0)).toMatchObject({ x: 2, y: 2 });
    expect(positionAt(prey.legs, prey.leaves!.start)).toMatchObject({ x: 1, y: 1, z: 0 });
  });
});

group('the reason of the end', () => {
  const end = { ...VIEW, over: true };

  it('is the loser, or the limit of turns', () => {
    expect(reason(LAYOUT, { ...end, ended_by: 'WT-17', out: [0] }, SEATS)).toBe('You have lost three pyramids.');
    expect(reason(LAYOUT, { ...end, ended_by: 'WT-17', out: [1] }, SEATS)).toBe('Blue has lost three pyramids.');
    const three = [...SEATS, { ...SEATS[1], seat: 2, name: 'Green' }];
    expect(reason(LAYOUT, { ...end, ended_by: 'WT-17', out: [1, 0] }, three)).toBe(
      'You and Blue have lost three pyramids each.',
    );
    expect(reason(LAYOUT, { ...end, ended_by: 'WT-18', turn: 60 }, SEATS)).toBe('Nobody won in 60 turns.');
  });
});
