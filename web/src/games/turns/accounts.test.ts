import { describe, expect, it } from 'vitest';
import { effect, line, people } from '../../app/fixtures';
import { soundsOf as heard } from '../../board/sounds';
import { accountWords, heaps, leads, leadWords, openedAt, poolWords, stage } from './accounts';
import { planOf } from './board';
import { BOARD, TOWERS, VIEW } from './fixtures';
import { describe as describePosition, keysOf, padWords, scoreNews, soundsOf, spaceWords } from './game';
import { figureOf, heap, pile, placedLast, readPiece, pilesOf, stackOf, type Piece } from './pieces';
import { planScene } from './scene';
import { coloured } from './taps.svelte';
import type { Account, AnyEffect, Layout, View } from './wire';
import { brief, say } from './words';

const SEATS = people('Ann', 'Ben');
const HIDDEN: Piece = { kind: 'hidden', colour: 'grey' };
const TOWER = ['1S:cyan', 'greyhidden', '0L:red'];
const SEEN: Account = { counts: [6, 2], owner: 0, points: 2 };
const SHOWN: Account = { counts: [5, 3], owner: 0, points: 7, number: 4 };
const TIED: Account = { counts: [1, 1], number: 2 };
const PAD = { '0S:yellow': 1, '0M:red': 1, '0M:yellow': 2, '0M:green': 2, '0M:black': 1 };
const PILES = pilesOf(PAD, TOWERS.kinds);
const POSITION: View = {
  ...VIEW,
  stacks: { b2: TOWER },
  pads: [PAD, {}],
  accounts: { b2: SEEN, a1: { ...SEEN, owner: 1, points: 0 } },
  pool: [1, 1, 2],
};
const END: View = { ...POSITION, over: true, scores: [7, 0], accounts: { a1: SHOWN, b1: TIED } };
const PLACED = [effect('places', '0L:red', 'b2')];
const ROLLED = [effect('rolls', '112344566')];
const DEALT: AnyEffect[] = [
  effect('reveals', 4, 'a1'),
  effect('controls', 0, 'a1'),
  effect('scores', 7, 'a1'),
  effect('reveals', 2, 'b1'),
  effect('tied', null, 'b1'),
  effect('draw', 'HR-10'),
];

describe('an act', () => {
  it.each<[string, number, AnyEffect[], string, string]>([
    ['L:red@b2', 0, PLACED, 'Your large red pyramid comes to b2.', 'large on b2'],
    ['L@b2', 1, [effect('places', '1L:cyan', 'b2')], 'Ben’s large cyan pyramid comes to b2.', 'large on b2'],
    [
      'roll:112344566',
      -1,
      ROLLED,
      'The dice show 1, 1, 2, 3, 4, 4, 5, 6 and 6; nobody knows what lies where.',
      'dice 1 1 2 3 4 4 5 6 6',
    ],
    ['roll:10,2', -1, [effect('rolls', '2,10')], 'The dice show 2 and 10; nobody knows what lies where.', 'dice 2 10'],
    [
      'deal:42',
      -1,
      DEALT,
      '4 lies under a1, which you control for 7 points; 2 lies under b1, which is tied.',
      'the numbers are shown',
    ],
  ])('%s', (text, seat, effects, sentence, short) => {
    expect(say(TOWERS, line(text, effects, seat), SEATS)).toBe(sentence);
    expect(brief(TOWERS, line(text, effects, seat), SEATS)).toBe(short);
  });

  it('names a colour or leaves it to the rules', () => {
    const named = (kind: string) => (kind === 'M' ? 'blue' : null);
    expect(['M@a1', 'L@b2', 'a1-b2'].map((text) => coloured(text, named))).toEqual(['M:blue@a1', 'L@b2', 'a1-b2']);
  });

  it('says what a seat placed last', () => {
    expect(placedLast(TOWERS, line('L@b2', PLACED))).toEqual({ kind: 'L', seat: 0 });
    expect(placedLast(TOWERS, line('deal:4', DEALT))).toBeNull();
    expect(placedLast(TOWERS, null)).toBeNull();
  });

  it('sounds by size, and a roll as soon as it begins', () => {
    const sounds = (effects: AnyEffect[], seen = effects) => heard(soundsOf(TOWERS), line('x', effects), seen);
    expect(sounds(PLACED)).toEqual(['land-L']);
    expect(sounds(ROLLED, [])).toEqual(['roll']);
    expect(sounds(ROLLED)).toEqual([]);
    expect(sounds(DEALT)).toEqual(['reveal']);
  });
});

describe('pieces of several colours a seat', () => {
  it('bear the mark of their owner', () => {
    expect(readPiece('1S:cyan', TOWERS.kinds)).toEqual({ kind: 'S', colour: 'cyan' });
    expect(figureOf({ kind: 'S', colour: 'cyan' }, TOWERS.kinds, SEATS)).toMatchObject({
      colour: 'cyan',
      mark: 'blue',
    });
    expect(figureOf({ kind: 'S', colour: 'cyan' }, BOARD.kinds, SEATS)).not.toHaveProperty('mark');
  });

  it('lie in heaps, the named or the most frequent colour on top', () => {
    const colours = (kind: string, named: string | null) => heap(PILES, kind, named).map(({ colour }) => colour);
    expect(colours('M', null)).toEqual(['black', 'red', 'green', 'green', 'yellow', 'yellow']);
    expect(colours('M', 'black').at(-1)).toBe('black');
    expect(colours('L', null)).toEqual([]);
    expect(padWords(TOWERS, PILES, SEATS)).toBe(
      '1 small pyramid (1 yellow) and 6 medium pyramids (1 red, 2 yellow, 2 green, 1 black)',
    );
  });

  it('have a key for their colours', () => {
    const has = (layout: Layout) => keysOf(layout).some(([key]) => key === 'c');
    expect([TOWERS, BOARD].map(has)).toEqual([true, false]);
  });
});

describe('tall stacks', () => {
  it('show no pieces under larger ones, known or not', () => {
    const figures = (pieces: Piece[]) => pile(pieces.map((piece) => figureOf(piece, TOWERS.kinds, SEATS)));
    expect(figures(stackOf(POSITION, 'b2', TOWERS.kinds)).map(({ figure }) => figure.colour)).toEqual(['red']);
    expect(figures([HIDDEN, { kind: 'M', colour: 'clear' }, { kind: 'M', colour: 'red' }])).toHaveLength(2);
    expect(figures([HIDDEN])[0]!.figure.face).toBe('?');
  });

  it('are described from the top, with their height', () => {
    const [, , , , b2] = TOWERS.spaces;
    expect(spaceWords(TOWERS, b2!, POSITION, SEATS, 'legal destination')).toBe(
      "b2: 3 pyramids, 1 hidden, Ann's large red pyramid on a hidden pyramid on Ben's small cyan pyramid, legal destination",
    );
    expect(spaceWords(TOWERS, TOWERS.spaces[0]!, END, SEATS, '')).toBe(
      'a1: empty, number 4, Ann 5 pips, Ben 3 pips: Ann scores 3 + 4 = 7',
    );
    expect(describePosition(TOWERS, POSITION, SEATS)).toMatch(
      /^Turn 4 of at most 50: .*The numbers 1, 1 and 2 lie under/,
    );
  });

  it('stand apart', () => {
    const depth = (layout: Layout) => planOf(layout, 'iso', 0).spot('a3').y - planOf(layout, 'iso', 0).spot('a1').y;
    expect(depth(TOWERS)).toBeGreaterThan(depth({ ...TOWERS, tall: false }));
  });
});

describe('what spaces are worth', () => {
  it.each<[Account, number, string]>([
    [SEEN, 1, 'Ann 6 pips, Ben 2 pips, 1 hidden: Ann leads and would score 2 + the number'],
    [{ counts: [2, 2] }, 0, 'Ann 2 pips, Ben 2 pips: tied, nobody would score'],
    [SHOWN, 0, 'number 4, Ann 5 pips, Ben 3 pips: Ann scores 3 + 4 = 7'],
    [TIED, 0, 'number 2, Ann 1 pip, Ben 1 pip: nobody scores'],
  ])('%j', (account, hidden, words) => {
    expect(accountWords(TOWERS, account, hidden, SEATS)).toBe(words);
  });

  it('without covers is certain', () => {
    expect(accountWords({ counts: 'stone' }, SEEN, 0, SEATS)).toBe('Ann 6 stones, Ben 2 stones: Ann scores 2');
    expect(leadWords({}, { spaces: 2, points: 5 })).toBe('leads 2 stacks for 5 points');
  });

  it.each<[number, number, string]>([
    [1, 1, 'leads 1 stack for 1 point and its number'],
    [2, 5, 'leads 2 stacks for 5 points and their numbers'],
    [0, 0, 'leads no stack'],
  ])('adds up: %d, %d', (spaces, points, words) => {
    expect(leadWords(TOWERS, { spaces, points })).toBe(words);
  });

  it('is counted by seat, and said once', () => {
    expect([0, 1].map((seat) => leads(POSITION, seat))).toEqual([
      { spaces: 1, points: 2 },
      { spaces: 1, points: 0 },
    ]);
    const frame = { seq: 2, line: line('deal:42', DEALT, -1), view: END };
    expect(scoreNews(POSITION, frame as unknown as Parameters<typeof scoreNews>[1], SEATS)).toBe('');
  });
});

describe('numbers beside the board', () => {
  it('are shown one by one, or in heaps if there are many', () => {
    expect(heaps([1, 1, 5], [1, 5]).map(({ left }) => left)).toEqual([1, 0, 0]);
    const many = Array.from({ length: 20 }, (_, i) => (i < 12 ? 2 : 30));
    expect(heaps(many, [2, 30, 30])).toEqual([
      { number: 2, count: 12, left: 11 },
      { number: 30, count: 8, left: 6 },
    ]);
  });

  it.each<[number[], number[], string]>([
    [[1, 1, 2, 6], [], 'The numbers 1, 1, 2 and 6 lie under the covers; nobody knows where.'],
    [[1, 1, 2], [1, 2], 'The number 1 is still hidden.'],
    [[1, 2], [2, 1], 'All numbers are shown.'],
  ])('%j less %j', (numbers, shown, words) => {
    expect(poolWords(TOWERS, numbers, shown)).toBe(words);
    expect(poolWords({}, [1, 2])).toBe('The dice show 1 and 2.');
  });
});

describe('a scene', () => {
  const plan = planOf(TOWERS, 'iso', 0);
  const sceneOf = (before: View, after: View, effects: AnyEffect[], layout = TOWERS) =>
    planScene(before, after, line('x', effects, -1), { layout, seats: SEATS, spot: plan.spot }, false)!;

  it('rolls the dice beside the board', () => {
    const { pool, milliseconds, drawn } = sceneOf(VIEW, POSITION, ROLLED);
    expect([pool, drawn]).toEqual([{ start: 0, end: milliseconds }, false]);
  });

  it('drops a piece on the cover of a space', () => {
    const drop = (covers: boolean) => sceneOf(VIEW, POSITION, PLACED, { ...TOWERS, covers }).flyers[0]!;
    expect(drop(true).legs.at(-1)!.to.z).toBeGreaterThan(drop(false).legs.at(-1)!.to.z);
  });

  it('opens space after space, faster on large boards', () => {
    const { opens, milliseconds, times } = sceneOf(POSITION, END, DEALT);
    const [first, second] = [...opens.values()];
    expect(second).toEqual({ start: first!.end, end: milliseconds });
    expect(times!['reveals']!.every((at, i) => at > [...opens.values()][i]!.start)).toBe(true);
    expect([0, 1].map((i) => openedAt(END, opens, ['a1', 'b1'][i]!, first!.end))).toEqual([1, 0]);
    expect(openedAt(POSITION, opens, 'a1', milliseconds)).toBe(0);
    expect(openedAt(END, undefined, 'a1', 0)).toBe(1);
    const many = Array.from({ length: 64 }, () => effect('reveals', 1, 'a1'));
    expect(sceneOf(POSITION, END, many).milliseconds).toBeLessThan(20_000);
  });

  it('takes the cover off, shows the number, then counts', () => {
    expect([0, 0.3, 1].map((at) => stage(at, 'opens'))).toEqual([0, 1, 1]);
    expect([stage(0.3, 'shows') > 0, stage(0.3, 'scores')]).toEqual([true, 0]);
    expect(stage(0.65, 'scores')).toBeCloseTo(1);
  });
});
