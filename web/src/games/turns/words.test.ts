import { describe as group, expect, it } from 'vitest';
import { effect, line as lineOf, people } from '../../app/fixtures';
import { soundsOf as heard } from '../../board/sounds';
import { BOARD, layout, pond, space, SQUAD, TOWERS, VIEW, WRECK } from './fixtures';
import {
  describe,
  facts,
  hasPoints,
  keysOf,
  landmarksOf,
  padWords,
  reason,
  scoreNews,
  secretWords,
  soundsOf,
  spaceWords,
  touched,
} from './game';
import { pieceWords, readPiece, type Pile } from './pieces';
import type { AnyEffect, Layout, View } from './wire';
import { brief, capturedBy, filled, say } from './words';

/** Ann reads. */
const SEATS = people('Ann', 'Ben');
const line = lineOf<AnyEffect>;
const RING = layout(
  'circle',
  [0, 1, 2, 3, 4].map((x) => space(`r${x + 1}`, x, 0)),
);

const POND = pond();

const STUNTS = [
  effect('formation', '0S', 'c2'),
  effect('stunt', '0C2', 'c1', 'c2', 'c3'),
  effect('stunt', '1C3', 'd2', 'c2', 'b2'),
  effect('fall', '0F', 'b1'),
  effect('fall', '1S', 'd2'),
];
const CAPTURE = [effect('takes', '1S', 'b2'), effect('moves', '0L', 'a1', 'b2'), effect('scores', '0:+1')];

group('an act', () => {
  it.each<[string, Layout, string, number, AnyEffect[], string, string]>([
    [
      'stunts and falls, in their order',
      SQUAD,
      'S@c2',
      0,
      STUNTS,
      'Your red sophomore comes to c2; your red captain leaps from c1 over c2 to c3 and shows 2; ' +
        'Ben’s blue captain leaps from d2 over c2 to b2 and shows 3; ' +
        'your red freshman on b1 and Ben’s blue sophomore on d2 fall.',
      'sophomore on c2, captain leaps to c3, Ben’s captain leaps to b2, 2 fall',
    ],
    [
      'a captain',
      SQUAD,
      'C@a1',
      1,
      [effect('captain', '1C', 'a1')],
      'Ben’s blue captain begins on a1.',
      'captain on a1',
    ],
    [
      'a single fall',
      SQUAD,
      'F@a2',
      1,
      [effect('formation', '1F', 'a2'), effect('stunt', '0C1', 'a1', 'a2', 'a3'), effect('fall', '1F', 'b3')],
      'Ben’s blue freshman comes to a2; your red captain leaps from a1 over a2 to a3 and shows 1; ' +
        'Ben’s blue freshman on b3 falls.',
      'freshman on a2, your captain leaps to a3, 1 falls',
    ],
    [
      'a capture',
      BOARD,
      'a1-b2',
      0,
      CAPTURE,
      'Ben’s small blue pyramid on b2 is taken; your large red pyramid moves from a1 to b2; you score 1 point.',
      'a1–b2, takes small blue, +1',
    ],
    [
      'several captures',
      BOARD,
      'a1-b2',
      1,
      [effect('moves', '1M', 'a1', 'b2'), effect('takes', '0S', 'a2'), effect('takes', 'blackstone', 'a3')],
      'Ben’s medium blue pyramid moves from a1 to b2; your small red pyramid on a2 and black stone on a3 are taken.',
      'a1–b2, takes small red, takes black stone',
    ],
    ['a roll without an effect', WRECK, 'die:diag-away', -1, [], 'The die shows diagonally away.', ''],
    [
      'a roll that lets nobody move',
      WRECK,
      'die:swap',
      -1,
      [effect('turn', 1)],
      'The die shows swap; nothing can move, and it is Ben’s turn.',
      'no move',
    ],
    [
      'a move of the second kind',
      WRECK,
      '~d8-d7',
      0,
      [effect('moves', '1Q', 'd8', 'd7')],
      'Your move: Ben’s blue queen moves from d8 to d7 by the die.',
      'die d8–d7',
    ],
    [
      'a change of places that takes several',
      WRECK,
      '~e1*e2',
      0,
      [
        effect('swaps', '0Q 1P', 'e1', 'e2'),
        effect('forms', 'resolved', 'c3', 'c6', 'e3', 'e6'),
        effect('forms', 'home-row', 'c1', 'c6', 'e1', 'e6'),
        effect('captures', '1Q', 'd4'),
        effect('captures', '1P', 'd5'),
        effect('coin', 'tails'),
        effect('out', 1),
        effect('turn', 0),
      ],
      'Your red queen on e1 and Ben’s blue pawn on e2 change places by the die; rectangle c3–e6 captures a queen ' +
        'and a pawn; rectangle c1–e6 has a corner in a home row and captures nothing; Ben’s blue queen on d4 and ' +
        'Ben’s blue pawn on d5 are captured; the coin turns to tails; Ben is out.',
      'swaps e1 and e2, captures a queen and a pawn, Ben is out',
    ],
    [
      'two shapes',
      WRECK,
      'e1-e3',
      1,
      [
        effect('moves', '1Q', 'e1', 'e3'),
        effect('forms', 'resolved', 'c3', 'c6', 'e3', 'e6'),
        effect('forms', 'resolved', 'd2', 'd4', 'c3', 'e3'),
      ],
      'Ben’s blue queen moves from e1 to e3; rectangle c3–e6 and rectangle d2 d4 c3 e3 capture nothing.',
      'e1–e3',
    ],
    ['rolled dice', BOARD, 'die:hop', -1, [effect('die', 'hop')], 'The die shows hop.', 'die: hop'],
    ['a deal', BOARD, 'deal:3,12', -1, [effect('deal', '3,12')], '3,12 is dealt.', 'deal: 3,12'],
    ['a pass', BOARD, 'pass', 1, [], 'Ben: pass.', 'pass'],
    ['a secret', BOARD, 'chooses', 1, [], 'Ben has chosen.', 'has chosen'],
    ['one’s own secret', BOARD, 'choose:S@b3', 0, [], 'You choose small on b3.', 'chooses small on b3'],
    [
      'secrets revealed',
      BOARD,
      'choose:rock',
      1,
      [effect('reveals', '0:a1-b2'), effect('reveals', '1:S@b3'), effect('scores', '0:+2'), effect('eliminates', 1)],
      'You chose a1–b2; Ben chose small on b3; you score 2 points; Ben is out.',
      'You: a1–b2, Ben: small on b3, You +2, Ben is out',
    ],
    [
      'points that add up, of each player',
      BOARD,
      'choose:rock',
      1,
      [effect('scores', '0:+2'), effect('scores', '1:+1'), effect('takes', 'blackS', 'a1'), effect('scores', '0:+3')],
      'Ben scores 1 point; small black pyramid on a1 is taken; you score 5 points.',
      'Ben +1, takes small black, You +5',
    ],
    [
      'a turn',
      BOARD,
      'a1>n',
      0,
      [effect('turns', 'clearM>n', 'a1')],
      'Your move: medium clear pyramid points north on a1.',
      'a1 points north',
    ],
    ['a flip', BOARD, 'a1', 0, [effect('turns', '03', 'a1')], 'Your red 3 comes up on a1.', 'a1'],
    [
      'a push',
      BOARD,
      'a1>n',
      0,
      [effect('moves', '1S', 'a1', 'a2')],
      'Your move: Ben’s small blue pyramid moves from a1 to a2.',
      'a1–a2',
    ],
    [
      'a stack',
      BOARD,
      'b2-a3',
      1,
      [effect('moves', '2 pieces', 'b2', 'a3')],
      'Ben’s move: 2 pieces move from b2 to a3.',
      'b2–a3',
    ],
    [
      'a piece of a pad',
      BOARD,
      'L@b3>n',
      1,
      [effect('spends', '1:1L'), effect('puts', '1L>n', 'b3')],
      'Ben’s large blue pyramid that points north comes to b3.',
      'large on b3, points north',
    ],
    [
      'an act of other words',
      BOARD,
      'hop',
      1,
      [effect('moves', '1S', 'b2', 'a3'), effect('keeps', '0:blackstone'), effect('scores', '0:-1')],
      'Ben: hop. Ben’s small blue pyramid moves from b2 to a3; you keep black stone; you lose 1 point.',
      'hop, you -1',
    ],
    [
      'a way',
      RING,
      'r1-r4',
      1,
      [effect('hops', '1L', 'r1', 'r3', 'r5', 'r4')],
      'Ben’s large blue pyramid hops from r1 over r2 to r3, then over r4 to r5 and steps to r4.',
      'r1–r4',
    ],
    [
      'a way that ends on another piece',
      POND,
      'a1-c5',
      0,
      [effect('path', '0L', 'a1', 'c3', 'c5'), effect('covers', '1M', 'c5')],
      'Your large red pyramid hops from a1 over b1 to c3, then over c4 to c5; it covers Ben’s medium blue pyramid.',
      'a1–c5 over two, covers a medium blue',
    ],
    [
      'a piece that comes in',
      POND,
      'S@d4',
      0,
      [effect('path', '0S', 'a1', 'c5', 'd4')],
      'Your small red pyramid comes in at a1, hops over b2 to c5 and steps to d4.',
      'a small enters at d4, over one',
    ],
    [
      'a win',
      POND,
      'b2-a1',
      1,
      [effect('path', '1M', 'b2', 'a1'), effect('reaches', null, 'a1')],
      'Ben’s medium blue pyramid steps from b2 to a1; it reaches your start space and wins.',
      'b2–a1, home!',
    ],
    ['a pass of its own words', POND, 'pass', 0, [], 'You pass.', 'passes'],
    ['a draw', POND, 'pass', 1, [effect('draw', 'IF-17')], 'Ben passes; the game is drawn.', 'passes'],
    ['its player', BOARD, 'a1*b2', 0, [effect('swaps', '0S 1S', 'a1', 'b2')], 'You swap a1 and b2.', 'a1*b2'],
  ])('is described with %s', (_, of, text, seat, effects, sentence, short) => {
    expect(say(of, line(text, effects, seat), SEATS)).toBe(sentence);
    expect(brief(of, line(text, effects, seat), SEATS)).toBe(short);
  });

  it('is a roll of the seat that goes on', () => {
    expect(say(WRECK, line('die:swap', [], -1), SEATS, 1)).toBe('Ben rolls “swap”.');
    expect(say(BOARD, line('die:3', [effect('die', '3')], -1), SEATS, 0)).toBe('You roll 3.');
    expect(say(BOARD, line('die:3', [effect('die', '3')], -1), SEATS, -1)).toBe('The die shows 3.');
    expect(say(WRECK, line('die:swap', [effect('turn', 1)], -1), SEATS, 0)).toMatch(/^The die shows swap; nothing/);
  });

  it('marks the spaces that it touched, but not those of its consequences', () => {
    expect(touched(SQUAD, line('S@c2', STUNTS))).toEqual(['c2']);
    expect(touched(BOARD, line('a1-b2', CAPTURE))).toEqual(['a1', 'b2']);
    expect(touched(BOARD, null)).toEqual([]);
  });

  it('captures pieces, which stay as shades at the end, but removes others', () => {
    const effects = [effect('captures', '1Q', 'd4'), effect('coin', 'tails'), effect('removes', '1P', 'a2')];
    expect(capturedBy(WRECK, line('x', effects))).toEqual([{ piece: readPiece('1Q', WRECK.kinds), space: 'd4' }]);
    expect(capturedBy(WRECK, null)).toEqual([]);
  });

  it('sounds as the layout says: a roll at the start, a landing by its size', () => {
    const sounds = (of: Layout, effects: AnyEffect[], seen = effects) => heard(soundsOf(of), line('x', effects), seen);
    expect(sounds(SQUAD, STUNTS)).toEqual(['land-M', 'leap', 'capture']);
    expect(sounds(SQUAD, [effect('captain', '0C', 'a1')])).toEqual(['land-M']);
    expect(sounds(BOARD, [effect('puts', 'blackstone', 'a1')])).toEqual(['land-S']);
    expect(sounds(BOARD, [effect('die', 'hop')], [])).toEqual(['roll']);
    expect(sounds(BOARD, [effect('die', 'hop')])).toEqual([]);
    expect(sounds(WRECK, [effect('swaps', '0P 1Q', 'd1', 'e8')])).toEqual(['land-S']);
    const captures = [effect('captures', '1P', 'a1'), effect('captures', '1Q', 'a2')];
    expect(sounds(WRECK, [...captures, effect('coin', 'tails')])).toEqual(['capture', 'coin']);
    expect(heard(soundsOf(WRECK), line('die:swap', [], -1), [])).toEqual(['roll']);
  });
});

group('prompts and reasons', () => {
  it.each([
    ['<who 0> <has 0> no place. <who 1> <has 1> one.', 'You have no place. Ben has one.'],
    ['With equal points, <who 1 0> <has 1 0> more.', 'With equal points, you and Ben have more.'],
    ['<whose 0> last friend, not <whose 1>.', 'Your last friend, not Ben’s.'],
    ['So: <who 0> 2 × 5 + 3 = 13.', 'So: you 2\u00a0×\u00a05\u00a0+\u00a03\u00a0=\u00a013.'],
    ['Place your captain.', 'Place your captain.'],
  ])('%s', (text, words) => {
    expect(filled(text, SEATS)).toBe(words);
  });

  it('are the game’s own, or else the scores', () => {
    expect(reason(BOARD, { ...VIEW, reason: '<who 0> <wins 0>.' }, SEATS)).toBe('You win.');
    expect(reason(BOARD, { ...VIEW, scores: [4, 2] }, SEATS)).toBe('Your score is 4 and Ben’s score is 2.');
    expect(reason(BOARD, VIEW, SEATS)).toBe('');
    expect(reason(BOARD, { ...VIEW, over: true, ended_by: 'TW-9', winners: [1], scores: [0, 1] }, SEATS)).toBe('');
  });
});

group('pieces', () => {
  it.each<[string, Layout, object, string]>([
    ['0L', BOARD, { kind: 'L', colour: 0 }, 'large red pyramid'],
    ['clearM>ne', BOARD, { kind: 'M', colour: 'clear', heading: 'ne' }, 'medium clear pyramid that points north-east'],
    ['blackstone', BOARD, { kind: 'stone', colour: 'black' }, 'black stone'],
    ['16', BOARD, { kind: '6', colour: 1 }, 'blue 6'],
    ['greyhidden', BOARD, { kind: 'hidden', colour: 'grey' }, 'hidden piece'],
    ['redS', BOARD, { kind: 'S', colour: 'red' }, 'small red pyramid'],
    ['(gold)stone', BOARD, { kind: 'stone', colour: 'gold' }, 'gold stone'],
    ['0L:cyan', TOWERS, { kind: 'L', colour: 'cyan' }, 'large cyan pyramid'],
    ['1J', SQUAD, { kind: 'J', colour: 1 }, 'blue junior'],
    ['1C3', SQUAD, { kind: 'C3', colour: 1 }, 'blue captain that shows 3'],
  ])('%s', (text, { kinds }, piece, words) => {
    expect(readPiece(text, kinds)).toEqual(piece);
    expect(pieceWords(readPiece(text, kinds), kinds, SEATS)).toBe(words);
  });

  it('of a pad have numbers', () => {
    const friends: Pile[] = [
      { kind: 'F', colour: 0, count: 1 },
      { kind: 'S', colour: 0, count: 2 },
    ];
    expect(padWords(SQUAD, friends, SEATS)).toBe('1 freshman and 2 sophomores');
    expect(padWords(BOARD, [{ kind: 'stone', colour: 'black', count: 2 }], SEATS)).toBe('2 times black stone');
  });
});

group('a position', () => {
  const view: View = {
    ...VIEW,
    stacks: { b1: ['0F'], c1: ['0C1'] },
    pads: [{ '0J': 1 }, {}],
    scores: [1, 1],
  };

  it('is described, with the reason of its end', () => {
    expect(describe(SQUAD, view, SEATS)).toBe(
      'Turn 4: Ann (red) to move. On the board: b1: red freshman; c1: red captain that shows 1. ' +
        'Ann has 1 junior left. Ben has nothing left. Scores – Ann: 1, Ben: 1.',
    );
    const over = { ...view, over: true, winners: [0], scores: [9], pads: [{}], reason: 'The best known score is 12.' };
    expect(describe(SQUAD, over, SEATS.slice(0, 1))).toMatch(/^The game is over\..* The best known score is 12\.$/);
  });

  it('tells what dice and coins show, the parts of the turn, and what lies on pads', () => {
    const own = { face: 'diag-away', coin: 'tails', lost: [1, 2] };
    const turn_parts: View['turn_parts'] = [{ name: '<your 0>move', now: 'to do' }];
    expect(describe(WRECK, { ...VIEW, own, turn_parts }, SEATS)).toBe(
      'Turn 4: Ann (red) to move. The die shows diagonally away. The coin shows tails. Your move: to do. ' +
        'The board is empty. Ann: 1 of 3 lost. Ben: 2 of 3 lost.',
    );
    expect(describe(WRECK, { ...VIEW, own, out: [1] }, SEATS)).toContain('Ben: out.');
    const b1 = WRECK.spaces.find(({ name }) => name === 'b1')!;
    expect(spaceWords(WRECK, b1, VIEW, SEATS, '')).toBe("b1: empty, Ann's home row");
  });

  it('names the readable values of its game, and who is out', () => {
    const own = { target: 3, last_face: 'hop', last: { tuple: ['a1'] } };
    const named = (of: Layout) => facts(of, { ...view, own }, SEATS).map(({ name, value }) => `${name} ${value}`);
    expect(named(SQUAD)).toEqual(['Target 3', 'Last face hop', 'Last a1']);
    expect(named(POND)).toEqual([]);
    const lists = {
      best: { set: ['a1', 'b2'] },
      by_size: { dict: [['small', 2]] },
      drawn: [{ pyramid: ['M', 0] }, { token: ['stone', 'black'] }],
      nothing: [],
      unknown: null,
    };
    expect(facts(SQUAD, { ...view, own: lists }, SEATS)).toEqual([
      { name: 'Best', value: 'a1, b2' },
      { name: 'By size', value: 'small: 2' },
      { name: 'Drawn', value: 'red sophomore, black stone' },
    ]);
    expect(describe(POND, view, SEATS)).toMatch(/^Turn 4 of at most 400: /);
    expect(describe(SQUAD, { ...view, own, out: [1] }, SEATS)).toMatch(/Ben is out\..*Target: 3\./);
  });

  it('has words for its spaces, from the top down', () => {
    const stacks = { b2: ['0L', '1S'] };
    const b2 = space('b2', 1, 1, { zone: 1, colour: 'yellow' });
    expect(spaceWords(BOARD, b2, { ...VIEW, stacks }, SEATS, 'can be chosen')).toBe(
      "b2: small blue pyramid on large red pyramid, yellow space, Ben's zone, can be chosen",
    );
    expect(spaceWords(BOARD, space('c1', 2, 0), VIEW, SEATS, '')).toBe('c1: empty');
  });

  it('names players who still have to choose in secret', () => {
    expect(secretWords({ ...VIEW, asked: [0, 1] }, SEATS, 0)).toContain('Choose in secret');
    expect(secretWords({ ...VIEW, asked: [1] }, SEATS, null)).toBe('Ben is still to choose in secret.');
    expect(secretWords(VIEW, SEATS, 0)).toBe('');
  });

  it('comes with news of points that no effect reports', () => {
    const before = { ...VIEW, scores: [4, 3] };
    const after = (scores: number[], ...effects: AnyEffect[]) =>
      scoreNews(before, { seq: 1, line: line('a1-b2', effects), view: { ...VIEW, scores }, legal: {} }, SEATS);
    expect(after([7, 2])).toBe('You score 3 points, and have 7. Ben loses 1 point, and has 2.');
    expect(after([7, 3], effect('scores', '0:+3'))).toBe('');
    expect(after([8, 3], effect('scores', '0:+3'))).toBe('You score 1 point, and have 8.');
    expect(after([4, 3])).toBe('');
  });
});

it('keys and events are those of the layout', () => {
  expect(keysOf(SQUAD)[0]).toEqual(['f s j', 'take a freshman, a sophomore or a junior']);
  expect(keysOf({ ...BOARD, beside: 'nothing' })[0]![0]).toBe('1 2 3');
  expect(keysOf(WRECK).map(([key]) => key)).toEqual(['1 2 3', 'e', 'h', 'n']);
  expect(landmarksOf(WRECK)).toMatchObject({ forms: 'rectangle', captures: 'capture', out: 'out' });
  expect(landmarksOf(SQUAD)).toEqual({ takes: 'capture', eliminates: 'elimination', stunt: 'stunt', fall: 'fall' });
});

it('a game that was broken off has the points of its last position, and only those', () => {
  const over = { ...VIEW, over: true, winners: [1] };
  expect(hasPoints({ ...over, scores: [0, 0] })).toBe(false);
  expect(hasPoints({ ...over, scores: [6, 1] })).toBe(true);
  expect(hasPoints({ ...over, ended_by: 'TW-9', scores: [0, 1] })).toBe(false);
  expect(hasPoints({ ...over, ended_by: 'TW-9', scores: [0, 0] })).toBe(true);
});
