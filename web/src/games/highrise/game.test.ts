import { describe as group, expect, it } from 'vitest';
import { line as lineOf, people, VIEW as ANY } from '../../app/fixtures';
import { positionAt } from '../../board/flight';
import { sortPlacements, type Hand } from '../../board/hand';
import {
  accountWords,
  describe,
  given,
  heap,
  heaps,
  inSight,
  left,
  leads,
  leadWords,
  numbersWords,
  pickWords,
  placed,
  reason,
  say,
  seenWords,
  sortActs,
  squareWords,
  stashWords,
  total,
  touched,
  towerWords,
  withColour,
} from './game';
import { planScene, revealed, rolled, stage } from './scene';
import type { Account, AnyEffect, Layout, Stash, View } from './wire';

const SQUARES = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => ({ name: `${'abc'[x]}${y + 1}`, x, y })));
const COLOURS: Layout['colours'] = [
  ['red', 'yellow', 'green', 'blue', 'black'],
  ['purple', 'orange', 'clear', 'cyan', 'white'],
];
const LAYOUT: Layout = {
  rows: 3,
  cols: 3,
  squares: SQUARES,
  colours: COLOURS,
  copies: { S: 1, M: 2, L: 2 },
  values: null,
  memory: 'on',
};
const SEATS = people('Ann', 'Ben').map((person) => ({ ...person, colour: COLOURS[person.seat]![0]! }));
const STASH: Stash = {
  S: { red: 0, yellow: 1, green: 0, blue: 0, black: 0 },
  M: { red: 1, yellow: 2, green: 2, blue: 0, black: 1 },
  L: { red: 0, yellow: 0, green: 0, blue: 0, black: 0 },
};
const ACCOUNT: Account = { number: 4, pips: [5, 3], owner: 0, points: 7 };
const VIEW: View = {
  ...ANY,
  stacks: { b2: ['1S:cyan', null, '0L:red'], a1: ['1M:clear'] },
  towers: {
    b2: { pips: [3, 1], hidden: 1, leader: 0, points: 1 },
    a1: { pips: [0, 2], hidden: 0, leader: 1, points: 0 },
  },
  stash: [STASH, STASH],
  numbers: [1, 1, 2, 3, 4, 4, 5, 6, 6],
  turn: 12,
  account: null,
};
const LEGAL = sortPlacements(['M@a1', 'M@b2', 'S@b2']);
const line = lineOf<AnyEffect>;

function hand(picked: string | null): Hand {
  return { legal: LEGAL, picked };
}

const PLACED = line('L@b2', [{ kind: 'places', spaces: ['b2'], value: '0L:red' }]);
const DEALT = line(
  'deal:46',
  [
    { kind: 'reveals', spaces: ['a1'], value: 4 },
    { kind: 'reveals', spaces: ['b1'], value: 6 },
    { kind: 'controls', spaces: ['a1'], value: 0 },
  ],
  -1,
);

const ROLLED = line('roll:112344566', [{ kind: 'rolls', spaces: [], value: '112344566' }], -1);

group('numbers', () => {
  it('are listed one by one, or in heaps if there are many', () => {
    expect(heaps([1, 1, 5], [1, 5])).toEqual([
      { number: 1, count: 1, left: 1 },
      { number: 1, count: 1, left: 0 },
      { number: 5, count: 1, left: 0 },
    ]);
    const numbers = Array.from({ length: 20 }, (_, i) => (i < 12 ? 2 : 30));
    expect(heaps(numbers, [2, 30, 30])).toEqual([
      { number: 2, count: 12, left: 11 },
      { number: 30, count: 8, left: 6 },
    ]);
  });

  it('are listed while they are hidden', () => {
    expect(numbersWords([1, 1, 2, 6])).toBe('The numbers 1, 1, 2 and 6 lie under the towers; nobody knows where.');
    expect(numbersWords([1, 1, 2], [1, 2])).toBe('The number 1 is still hidden.');
    expect(numbersWords([1, 2], [2, 1])).toBe('All numbers are shown.');
    expect(describe(LAYOUT, VIEW, SEATS)).toContain('The numbers 1, 1, 2, 3, 4, 4, 5, 6 and 6 lie under the towers');
    expect(describe(LAYOUT, { ...VIEW, numbers: null }, SEATS)).not.toContain('numbers');
  });

  it('are rolled openly', () => {
    expect(say(LAYOUT, ROLLED, SEATS)).toBe(
      'The dice show 1, 1, 2, 3, 4, 4, 5, 6 and 6; nobody knows what lies where.',
    );
    const scene = planScene(VIEW, ROLLED, SQUARES, SEATS, false)!;
    expect(scene).toMatchObject({ drop: null, reveals: null, rolls: true });
    expect([0, scene.milliseconds].map((at) => rolled(scene, at))).toEqual([0, 1]);
    expect(rolled(null, 0)).toBe(1);
    expect(revealed(scene, VIEW, 'a1', 0)).toBe(0);
  });
});

group('acts', () => {
  it('name a colour or leave it to the rules', () => {
    expect(withColour('L@b2', 'cyan')).toBe('L:cyan@b2');
    expect(withColour('L@b2', null)).toBe('L@b2');
    const acts = sortActs(['M@a1', 'S@b2'], (size) => (size === 'M' ? 'blue' : null));
    expect([...acts.keys()]).toEqual(['M', 'S']);
    expect(acts.get('M')!.get('a1')).toBe('M:blue@a1');
    expect(acts.get('S')!.get('b2')).toBe('S@b2');
    expect(touched(PLACED)).toEqual(['b2']);
    expect(touched(DEALT)).toEqual([]);
  });

  it('need no picked size if only one is left', () => {
    expect(given(sortPlacements(['S@a1', 'S@b1']), null)).toBe('S');
    expect(given(LEGAL, null)).toBeNull();
    expect(given(new Map(), 'M')).toBeNull();
  });

  it('repeat the size that was placed last, while it is left', () => {
    expect(placed(PLACED)).toMatchObject({ seat: 0, size: 'L' });
    expect(placed(DEALT)).toBeNull();
    expect(given(sortPlacements(['S@a1', 'M@a1']), 'M')).toBe('M');
    expect(given(sortPlacements(['S@a1', 'M@a1']), 'L')).toBeNull();
  });
});

group('towers', () => {
  it('show known pyramids that are not under a larger one, with the mark of the owner', () => {
    expect(inSight([null, '1M:clear', '0M:red'], SEATS)).toEqual([
      { size: 'M', colour: 'clear', mark: 'purple' },
      { size: 'M', colour: 'red', mark: 'red' },
    ]);
    expect(inSight(['1S:cyan', '0L:red', '1S:white'], SEATS).map(({ colour }) => colour)).toEqual(['red', 'white']);
  });

  it('are counted with hidden pyramids', () => {
    expect(towerWords(['1S:cyan', null, '0L:red'])).toBe('3 pyramids, 1 hidden');
    expect(towerWords(['1S:cyan'])).toBe('1 pyramid');
  });
});

group('stashes', () => {
  it('have the named or the most frequent colour on top', () => {
    expect(left(STASH, 'M')).toBe(6);
    expect(heap(STASH, 'M', null)).toEqual(['black', 'red', 'green', 'green', 'yellow', 'yellow']);
    expect(heap(STASH, 'M', 'black').at(-1)).toBe('black');
    expect(heap(STASH, 'L', null)).toEqual([]);
  });

  it('are described', () => {
    expect(stashWords(STASH)).toBe('1 small (1 yellow) and 6 medium (1 red, 2 yellow, 2 green, 1 black)');
    const empty = { ...STASH, S: STASH.L, M: STASH.L };
    expect(stashWords(empty)).toBe('no pyramids');
    expect(total(LAYOUT)).toBe(50);
  });
});

group('words', () => {
  it('describe a square from the top, with hidden pyramids', () => {
    expect(squareWords(hand(null), VIEW, 'b2', SEATS)).toBe(
      "b2: 3 pyramids, 1 hidden, Ann's large red on a hidden one on Ben's small cyan",
    );
    expect(squareWords(hand('M'), VIEW, 'a1', SEATS)).toBe("a1: 1 pyramid, Ben's medium clear, legal destination");
    expect(squareWords(hand(null), VIEW, 'c3', SEATS)).toBe('c3: no pyramids');
    const over = { ...VIEW, account: { c3: { number: 2, pips: [0, 0], owner: null, points: 0 } } };
    expect(squareWords(hand(null), over, 'c3', SEATS)).toBe(
      'c3: no pyramids, number 2, Ann 0 pips, Ben 0 pips: nobody scores',
    );
    expect(pickWords(hand('M'), null)).toBe('Picked a medium pyramid: 2 destinations.');
    expect(pickWords(hand('M'), 'blue')).toBe('Picked a medium blue pyramid: 2 destinations.');
    expect(pickWords(hand(null), null)).toBe('');
  });

  it('describe an account', () => {
    expect(accountWords(ACCOUNT, SEATS)).toBe('number 4, Ann 5 pips, Ben 3 pips: Ann scores 3 + 4 = 7');
    expect(accountWords({ ...ACCOUNT, pips: [1, 2], owner: 1, points: 5 }, SEATS)).toContain('Ben scores 1 + 4 = 5');
  });

  it('describe the visible part of a tower', () => {
    expect(seenWords(VIEW.towers['b2']!, SEATS)).toBe(
      'Ann 3 pips, Ben 1 pip, 1 hidden: Ann leads and would score 1 + the number',
    );
    expect(seenWords({ pips: [2, 2], hidden: 0, leader: null, points: 0 }, SEATS)).toBe(
      'Ann 2 pips, Ben 2 pips: tied, nobody would score',
    );
    expect(leadWords(leads(VIEW, 0))).toBe('leads 1 tower for 1 point and its number');
    expect(leadWords({ towers: 2, points: 5 })).toBe('leads 2 towers for 5 points and their numbers');
    expect(leadWords(leads({ ...VIEW, towers: {} }, 1))).toBe('leads no tower');
  });

  it('describe acts', () => {
    expect(say(LAYOUT, PLACED, SEATS)).toBe('Ann places a large red pyramid on b2.');
    expect(say(LAYOUT, DEALT, SEATS)).toBe('The numbers are shown: a1 4, b1 6. Ann controls a1. Ben controls nothing.');
  });

  it('describe the position', () => {
    expect(describe(LAYOUT, VIEW, SEATS)).toMatch(
      /^Turn 13 of 50: Ann \(red\) to move\. Towers: a1: 1 pyramid, Ben's medium clear; b2: 3 pyramids, 1 hidden/,
    );
    expect(describe(LAYOUT, { ...VIEW, stacks: {} }, SEATS)).toMatch(
      /The board of 3 by 3 is empty\. .* Ann has 1 small/,
    );
    const over = { ...VIEW, over: true, winners: [0], account: { b2: ACCOUNT } };
    expect(describe(LAYOUT, over, SEATS)).toMatch(/^Ann has won\. Towers: .*Ann scores 3 \+ 4 = 7\.$/);
  });
});

group('planScene', () => {
  it('drops a pyramid on its tower', () => {
    const { drop, milliseconds } = planScene(VIEW, PLACED, SQUARES, SEATS, false)!;
    expect(drop!.piece).toEqual({ size: 'L', colour: 'red', mark: 'red' });
    expect(positionAt(drop!.legs, 0)).toMatchObject({ x: 1, y: 1 });
    const end = positionAt(drop!.legs, milliseconds);
    expect(end.z).toBeGreaterThan(20);
    expect(positionAt(drop!.legs, 0).z).toBeGreaterThan(end.z);
    expect(planScene(VIEW, PLACED, SQUARES, SEATS, true)).toBeNull();
  });

  it('reveals square after square, faster on large boards', () => {
    const scene = planScene(VIEW, DEALT, SQUARES, SEATS, false)!;
    const over = { ...VIEW, account: { a1: ACCOUNT } };
    const middle = scene.reveals!.get('b1')!.start;
    expect(SQUARES.map(({ name }) => revealed(scene, over, name, middle))).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(revealed(scene, VIEW, 'a1', middle)).toBe(0);
    expect(revealed(null, over, 'c3', 0)).toBe(1);
    const large = Array.from({ length: 64 }, (_, i) => ({ name: `${i}`, x: i, y: 0 }));
    expect(planScene(VIEW, DEALT, large, SEATS, false)!.milliseconds).toBeLessThan(1.3 * scene.milliseconds);
  });

  it('takes the cover off, shows the number, then counts', () => {
    expect([0, 0.3, 1].map((at) => stage(at, 'opens'))).toEqual([0, 1, 1]);
    expect(stage(0.3, 'shows')).toBeGreaterThan(0);
    expect(stage(0.3, 'scores')).toBe(0);
    expect(stage(0.65, 'scores')).toBeCloseTo(1);
  });
});

group('the reason of the end', () => {
  const tower = (owner: number | null): Account => ({ number: 1, pips: [1, 1], owner, points: 0 });
  const end = { ...VIEW, over: true, ended_by: 'HR-8', scores: [5, 51], winners: [1] };

  it('is the number of towers of each player', () => {
    const account = { a1: tower(1), a2: tower(1), b1: tower(0), c1: tower(null) };
    expect(reason(LAYOUT, { ...end, account }, SEATS)).toBe('Ben controls two towers, you one.');
    const none = { a1: tower(1) };
    expect(reason(LAYOUT, { ...end, account: none }, SEATS)).toBe('Ben controls one tower, you none.');
  });

  it('is the score if it is equal', () => {
    expect(reason(LAYOUT, { ...end, scores: [7, 7], winners: [0, 1] }, SEATS)).toBe('Both have 7 points.');
  });
});
