import { describe as group, expect, it } from 'vitest';
import { line as lineOf, people, VIEW as ANY } from '../../app/fixtures';
import { describe, frogRole, isOwn, pickWords, reason, say, sortActs, spaceWords, type FrogHand } from './game';
import type { AnyEffect, Covers, Draw, Layout, Path, Reaches, Space, View } from './wire';

const ROWS = [1, 2, 7, 6, 5, 6, 7, 2, 1];
const STARTS: Record<string, number> = { a1: 0, i1: 1 };
const SPACES: Space[] = ROWS.flatMap((count, y) =>
  Array.from({ length: count }, (_, i): Space => {
    const name = `${'abcdefghi'[y]}${i + 1}`;
    return { name, x: 2 * i - count + 1, y, start: STARTS[name] ?? null };
  }),
);
const LAYOUT: Layout = { board: 'star', spaces: SPACES };
const SEATS = people('Ann', 'Blue');
const VIEW: View = {
  ...ANY,
  stacks: { b2: ['0M'], c3: ['1M', '0L'], d4: ['0L', '1S'], c5: ['1L'] },
  supply: [
    { S: 5, M: 4, L: 3 },
    { S: 4, M: 4, L: 4 },
  ],
  turn: 7,
  turn_limit: 400,
};
const LEGAL = sortActs(['L@b1', 'L@c1', 'b2-c5', 'b2-b1', 'b2-i1', 'c3-c2', 'c3-b2']);

function space(name: string): Space {
  return SPACES.find((known) => known.name === name)!;
}
const line = lineOf<AnyEffect>;

function hand(picked: string | null, acting: number | null = 0): FrogHand {
  return { view: VIEW, acting, legal: acting === null ? new Map() : LEGAL, picked };
}

function path(mover: string, ...spaces: string[]): Path {
  return { kind: 'path', spaces, value: mover };
}

group('acts', () => {
  it('start from sizes and spaces', () => {
    expect([...LEGAL.keys()]).toEqual(['L', 'b2', 'c3']);
    expect([...LEGAL.get('b2')!]).toEqual([
      ['c5', 'b2-c5'],
      ['b1', 'b2-b1'],
      ['i1', 'b2-i1'],
    ]);
    expect(sortActs(['pass']).size).toBe(0);
  });

  it('can pick only own top pyramids', () => {
    expect(['b2', 'd4', 'e3'].map((name) => isOwn(hand(null), name))).toEqual([true, false, false]);
    expect(isOwn(hand(null, null), 'b2')).toBe(false);
  });

  it('show destinations of the picked pyramid, and wins', () => {
    expect(frogRole(hand(null), space('b2'))).toBe('movable');
    expect(frogRole(hand('b2'), space('b1'))).toBe('free');
    expect(frogRole(hand('b2'), space('c5'))).toBe('cover');
    expect(frogRole(hand('b2'), space('i1'))).toBe('win');
    expect(frogRole(hand('b2', null), space('b1'))).toBeNull();
  });
});

group('words of a space', () => {
  it('describe the stack from its top, and possible moves', () => {
    expect(spaceWords(hand(null), space('c3'), SEATS)).toBe('c3: large red on medium blue, can move');
    expect(spaceWords(hand(null), space('a1'), SEATS)).toBe('a1: red start, empty');
    expect(spaceWords(hand('b2'), space('c5'), SEATS)).toBe('c5: large blue, legal destination, covers large blue');
    expect(spaceWords(hand('b2'), space('b1'), SEATS)).toBe('b1: empty, legal destination');
    expect(spaceWords(hand('b2'), space('i1'), SEATS)).toBe('i1: blue start, empty, legal destination, wins the game');
    expect(spaceWords(hand('b2'), space('b2'), SEATS)).toBe('b2: medium red, picked up');
  });

  it('describe the picked pyramid', () => {
    expect(pickWords(hand('b2'), SEATS)).toBe('Picked the medium red on b2: 3 destinations.');
    expect(pickWords(hand('L'), SEATS)).toBe('Picked the large red from the supply: 2 destinations.');
    const stuck = { ...hand('c3'), legal: new Map() };
    expect(pickWords(stuck, SEATS)).toBe('Picked the large red on c3: it has no legal move.');
    expect(pickWords(hand(null), SEATS)).toBe('');
  });
});

group('say', () => {
  it('describes hops, the spaces they cross, and the covered pyramid', () => {
    const covers: Covers = { kind: 'covers', spaces: ['c5'], value: '1M' };
    expect(say(LAYOUT, line('a1-c5', [path('0L', 'a1', 'c3', 'c5'), covers]), SEATS)).toBe(
      "Ann's large red pyramid hops from a1 over b1 to c3, then over c4 to c5 and covers Blue's medium pyramid.",
    );
  });

  it('describes an entry with its last step', () => {
    const covers: Covers = { kind: 'covers', spaces: ['d4'], value: '0L' };
    expect(say(LAYOUT, line('S@d4', [path('0S', 'a1', 'c5', 'd4'), covers]), SEATS)).toBe(
      "Ann's small red pyramid comes in at a1, hops over b2 to c5, steps to d4 and covers Ann's large red pyramid.",
    );
    expect(say(LAYOUT, line('L@b1', [path('0L', 'a1', 'b1')]), SEATS)).toBe(
      "Ann's large red pyramid comes in at a1 and steps to b1.",
    );
  });

  it('omits the colour of a seat with that name, and names the loser', () => {
    const reaches: Reaches = { kind: 'reaches', spaces: ['a1'], value: null };
    expect(say(LAYOUT, line('b2-a1', [path('1M', 'b2', 'a1'), reaches], 1), SEATS)).toBe(
      "Blue's medium pyramid steps from b2 to a1 and reaches Ann's start space and wins.",
    );
  });

  it('describes passes and draws', () => {
    expect(say(LAYOUT, line('pass', []), SEATS)).toBe('Ann passes.');
    const draw: Draw = { kind: 'draw', spaces: [], value: 'IF-17' };
    expect(say(LAYOUT, line('pass', [draw], 1), SEATS)).toBe('Blue passes; the game is drawn.');
    expect(say(LAYOUT, line('b2-b1', [path('0M', 'b2', 'b1'), { ...draw, value: 'IF-18' }]), SEATS)).toBe(
      "Ann's medium red pyramid steps from b2 to b1; the game is drawn.",
    );
  });
});

group('describe', () => {
  it('describes the whole position', () => {
    expect(describe(LAYOUT, VIEW, SEATS)).toBe(
      'Turn 8 of at most 400: Ann (red) to move. On the star: b2: medium red; c3: large red on medium blue; ' +
        'c5: large blue; d4: small blue on large red. Ann has 5 small, 4 medium and 3 large left. ' +
        'Blue has 4 small, 4 medium and 4 large left. Start spaces: Ann at a1 and Blue at i1.',
    );
  });

  it('describes the start and the end', () => {
    const empty = { ...VIEW, stacks: {}, turn: 0, turn_limit: 0, supply: [{ S: 0, M: 0, L: 0 }, VIEW.supply[1]!] };
    const beginning = 'Turn 1: Ann (red) to move. The star is empty. Ann has no pyramids left.';
    expect(describe(LAYOUT, empty, SEATS).slice(0, beginning.length)).toBe(beginning);
    const won = { ...VIEW, over: true, to_act: [], winners: [1] };
    expect(describe(LAYOUT, won, SEATS)).toMatch(/^Blue has won\./);
    expect(describe(LAYOUT, { ...won, winners: [0, 1] }, SEATS)).toMatch(/^The game is drawn\./);
  });
});

group('the reason of the end', () => {
  const end = { ...VIEW, over: true, turn: 400 };

  it('is the pyramid that has reached home', () => {
    const won = { ...end, ended_by: 'IF-16', winners: [1], stacks: { ...VIEW.stacks, a1: ['1L'] } };
    expect(reason(LAYOUT, won, SEATS)).toBe('Blue’s large pyramid is on your start space, a1.');
  });

  it('is that no pyramid has, in a draw', () => {
    expect(reason(LAYOUT, { ...end, ended_by: 'IF-17', winners: [0, 1] }, SEATS)).toBe('Nobody could move.');
    expect(reason(LAYOUT, { ...end, ended_by: 'IF-18', winners: [0, 1] }, SEATS)).toBe('Nobody got home in 400 turns.');
  });
});
