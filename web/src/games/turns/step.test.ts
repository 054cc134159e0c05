import { expect, it } from 'vitest';
import { BOARD, SQUAD, VIEW } from './fixtures';
import { reader } from './acts';
import { stepWords, type Choices } from './step';

const read = reader(BOARD.spaces.map(({ name }) => name));
const ON_A1 = { ...VIEW, stacks: { a1: ['0L'] } };
const SUPPLIES = { ...BOARD, beside: 'supplies' } as const;
const S = { kind: 'S', where: 'supply' } as const;

function choices(texts: string[], next: string[], more: Partial<Choices> = {}): Choices {
  return {
    layout: BOARD,
    view: ON_A1,
    acts: texts.map(read),
    next: new Set(next),
    buttons: [],
    pads: [],
    chosen: false,
    held: '',
    ...more,
  };
}

it.each<[string, Choices]>([
  ['Take a pyramid from your supply, then choose a marked square.', choices([], [], { layout: SUPPLIES, pads: [S] })],
  [
    'Take a pyramid from your supply, then choose a marked space.',
    choices([], [], { layout: { ...SUPPLIES, shape: 'circle' }, pads: [S] }),
  ],
  [
    'Take a pyramid from your supply or choose a marked one, then a marked square.',
    choices(['a1-a2'], ['a1'], { layout: SUPPLIES, pads: [S] }),
  ],
  [
    'Take a piece from your pad, then choose a marked square, or a button below the board.',
    choices([], [], { pads: [S, { kind: 'stone', where: 'pad' }].reverse() as Choices['pads'], buttons: ['n', 's'] }),
  ],
  [
    'Take a pyramid from beside the board, then choose a marked square.',
    choices([], [], { pads: [{ ...S, where: 'bank' }] }),
  ],
  ['Choose a marked pyramid, then a marked square.', choices(['a1-a2'], ['a1'])],
  ['Choose a marked pyramid, or press “Pass”.', choices(['a1', 'pass'], ['a1'], { buttons: ['Pass'] })],
  ['Now choose a marked pyramid.', choices(['a1-a2'], ['a1'], { chosen: true })],
  ['Choose a marked square.', choices(['S@a2'], ['a2'], { held: 'S' })],
  ['Press “Pass”.', choices(['pass'], [], { buttons: ['Pass'] })],
  ['Choose one of the buttons below the board.', choices(['hop', 'pass'], [], { buttons: ['n', 's'] })],
  ['', choices([], [])],
])('what comes first: "%s"', (words, given) => {
  expect(stepWords(given)).toBe(words);
});

it.each<[string, Choices]>([
  ['Now choose a marked square.', choices(['a1-a2'], ['a2'], { chosen: true })],
  [
    'Now choose a marked square. The golden one wins.',
    choices(['a1-a2', 'a1-b1'], ['a2', 'b1'], { chosen: true, view: { ...ON_A1, goals: ['b1'] } }),
  ],
  [
    'Now choose a marked square.',
    choices(['a2-a3'], ['a3'], { chosen: true, layout: { ...BOARD, lands: 'It stays.' } }),
  ],
  [
    'Now choose a marked square or pyramid. It stays.',
    choices(['a2-a1', 'a2-a3'], ['a1', 'a3'], { chosen: true, layout: { ...BOARD, lands: 'It stays.' } }),
  ],
  ['Now choose a marked square for the junior.', choices(['J@a1'], ['a1'], { layout: SQUAD, chosen: true, held: 'J' })],
  [
    'Now choose a marked square, or a button below the board.',
    choices(['a1-a2', 'a1>n', 'a1>s'], ['a2'], { chosen: true, buttons: ['n', 's'] }),
  ],
  ['Choose one of the buttons below the board.', choices(['a1>n', 'a1>s'], [], { chosen: true, buttons: ['n', 's'] })],
  [
    'Choose a marked square for the small pyramid, or take another.',
    choices(['S@a1'], ['a1'], { layout: { ...SUPPLIES, repeats: true }, pads: [S, { ...S, kind: 'L' }], held: 'S' }),
  ],
  [
    'Now choose a marked square for the small pyramid.',
    choices(['S@a1'], ['a1'], { layout: { ...SUPPLIES, repeats: true }, pads: [S], held: 'S' }),
  ],
])('what comes next: "%s"', (words, given) => {
  expect(stepWords(given)).toBe(words);
});
