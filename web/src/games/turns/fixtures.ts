/** Test fixtures: layouts with the words of the workshop and of Squad, and a position. */

import { VIEW as ANY } from '../../app/fixtures';
import type { Area, EffectLook, Kind, Layout, Motion, Space, View } from './wire';

function says(sentence: string, brief = '', motion: Motion = '', sound = '', event = ''): EffectLook {
  return { sentence, brief, motion, sound, event };
}

const EFFECTS = {
  puts: says('<piece> comes to <0>', '<kind> on <0>', 'put', 'land'),
  moves: says('<piece> <moves|move> from <0> to <-1>', '<0>–<-1>', 'move', 'land'),
  takes: says('<piece> on <0> <is|are> taken', 'takes <piece>', 'take', 'capture', 'capture'),
  turns: says('<piece> <lies> on <0>', '', 'turn', 'ice'),
  keeps: says('<seat> <keeps> <piece>'),
  spends: says(''),
  scores: says('<seat> <scores>', '<value>'),
  reveals: says('<seat> chose <value>', '<seat>: <value>'),
  eliminates: says('<seat> <is> out', '<seat> <is> out', '', 'crash', 'elimination'),
  die: says('the die shows <value>', 'die: <value>', '', 'roll'),
  deal: says('<value> is dealt', 'deal: <value>', '', 'reveal'),
  hops: says('<piece> <way>', '<0>–<-1>', 'path', 'land'),
  swaps: says('<who> <swaps> <0> and <1>', '', 'swap'),
};

function kind(name: string, more: Partial<Kind> = {}, plural = `${name}s`): Kind {
  return { name, plural, ...more };
}

export function space(name: string, x: number, y: number, more: Partial<Space> = {}): Space {
  return { name, x, y, zone: null, colour: null, ...more };
}

export function layout(shape: Layout['shape'], spaces: Space[], more: Partial<Layout> = {}): Layout {
  const kinds = {
    S: kind('small pyramid', { size: 'S' }),
    M: kind('medium pyramid', { size: 'M' }),
    L: kind('large pyramid', { size: 'L' }),
  };
  return {
    shape,
    spaces,
    lines: [],
    headings: { n: 90 },
    beside: 'pieces',
    kinds,
    effects: EFFECTS,
    rule: 'TW-1',
    ...more,
  };
}

export function squares(columns: number, rows: number, more: (y: number) => Partial<Space> = () => ({})): Space[] {
  const at = Array.from({ length: columns * rows }, (_, i) => ({ x: i % columns, y: Math.floor(i / columns) }));
  return at.map(({ x, y }) => space(`${'abcdefgh'[x]}${y + 1}`, x, y, more(y)));
}

/** Two columns, with a zone of seat 1 in the last row. */
export const BOARD = layout(
  'square',
  squares(2, 3, (y) => ({ zone: y === 2 ? 1 : 0 })),
);

export const SQUAD = layout('square', squares(4, 4), {
  beside: 'supplies',
  kinds: {
    F: kind('freshman', { size: 'S' }, 'freshmen'),
    S: kind('sophomore', { size: 'M' }),
    J: kind('junior', { size: 'L' }),
    C: kind('captain', { sides: 4 }),
  },
  effects: {
    ...EFFECTS,
    captain: says('<piece> begins on <0>', '<kind> on <0>', 'put', 'land'),
    formation: says('<piece> comes to <0>', '<kind> on <0>', 'put', 'land'),
    stunt: says(
      '<piece> leaps from <0> over <1> to <2> and shows <face>',
      '<whose><kind> leaps to <2>',
      'leap',
      'leap',
      'stunt',
    ),
    fall: says('<piece> on <0> <falls|fall>', '<count> <falls|fall>', 'fall', 'capture', 'fall'),
  },
});

function formed(what: string, lit: Record<string, Area> = {}): EffectLook {
  return { ...says(`rectangle <corners> ${what}`, '', '', 'reveal', 'rectangle'), shape: { by: 'coin', lit } };
}

/** Four home rows with arrows, a die and a coin, two kinds of acts, places on pads, and threats. */
export const WRECK = layout(
  'square',
  squares(8, 8).map((at) => {
    const zone = [at.y === 0, at.x === 0, at.y === 7, at.x === 7].indexOf(true);
    return { ...at, zone: zone < 0 ? null : zone };
  }),
  {
    beside: 'points',
    headings: { n: 90, e: 0, s: 270, w: 180 },
    forward: { 0: 'n', 1: 'e', 2: 's', 3: 'w' },
    facts: [],
    zone: 'home row',
    kinds: {
      P: kind('pawn', { size: 'S' }),
      D: kind('drone', { size: 'M' }),
      Q: kind('queen', { size: 'L' }),
    },
    shows: {
      face: { form: 'die', faces: { swap: face('swap', 'swap'), 'diag-away': face('diagonally away', 'bar up-left') } },
      coin: { form: 'coin', faces: { heads: face('heads', 'inside'), tails: face('tails', 'edges') } },
    },
    apart: { sign: '~', words: 'by the die', brief: 'die' },
    tally: { of: 'lost', places: 3 },
    help: { shape: 'rectangle', lamp: 'show rectangles', none: 'Nothing is near.' },
    acts: { end: { label: 'End turn', sentence: '<who> <ends> the turn', brief: '', key: 'e' } },
    effects: {
      ...EFFECTS,
      die: says('the die shows <value>', '', '', 'roll'),
      moves: says('<piece> <moves|move> from <0> to <1><apart>', '<apart><0>–<1>', 'move', 'land'),
      swaps: says('<pieces> change places<apart>', 'swaps <0> and <1>', 'swap', 'land'),
      forms: formed('<captures|capture> <all captures>', { heads: 'inside', tails: 'edges' }),
      'forms:home-row': formed('has a corner in a home row and captures nothing'),
      captures: says('<piece> on <0> <is|are> captured', 'captures <all captures>', 'throw', 'capture', 'capture'),
      removes: says('', '', 'throw', 'capture'),
      coin: says('the coin turns to <value>', '', '', 'coin'),
      out: says('<seat> <is> out', '<seat> <is> out', '', '', 'out'),
      turn: says(''),
      'chance:turn': says("nothing can move, and it is <seat's> turn", 'no move'),
    },
  },
);

function face(words: string, sign: string) {
  return { words, sign, caption: '', about: '' };
}

const ROWS = { star: [1, 2, 7, 6, 5, 6, 7, 2, 1], hexagon: [4, 5, 6, 7, 6, 5, 4] };
/** The points of each board, counter-clockwise from the bottom, and those of each number of players. */
const POINTS = { star: ['a1', 'c7', 'g7', 'i1', 'g1', 'c1'], hexagon: ['a1', 'a4', 'd7', 'g4', 'g1', 'd1'] };
const PLACES: Record<number, number[]> = { 2: [0, 3], 3: [0, 2, 4], 4: [0, 1, 3, 4], 5: [0, 1, 2, 3, 4] };

/** Lily pads with pads around them, as in IceFrogs. */
export function pond(shape: keyof typeof ROWS = 'star', players = 2): Layout {
  const zones = (PLACES[players] ?? [0, 1, 2, 3, 4, 5]).map((place) => POINTS[shape][place]!);
  const spaces = ROWS[shape].flatMap((count, y) =>
    Array.from({ length: count }, (_, i) => {
      const zone = zones.indexOf(`${'abcdefghi'[y]}${i + 1}`);
      const x = i - (count - 1) / 2;
      return space(`${'abcdefghi'[y]}${i + 1}`, x, (y * Math.sqrt(3)) / 2, { zone: zone < 0 ? null : zone });
    }),
  );
  const effects = {
    ...EFFECTS,
    path: says('<piece> <way>', '<way>', 'path', 'land'),
    covers: says('it covers <piece>', 'covers a <piece>', '', 'capture', 'landing'),
    reaches: says('it reaches <zone> start space and wins', 'home!', '', '', 'home'),
    draw: says('the game is drawn'),
  };
  const acts = { pass: { label: 'Pass: no move', sentence: '<who> <passes>', brief: 'passes', key: '' } };
  const more = { beside: 'supplies', around: true, ground: 'lilies', facts: [], turn_limit: 400 } as const;
  return layout('circle', spaces, { effects, acts, ...more, facts: [] });
}

const GLASS = [
  ['red', 'yellow', 'green', 'blue', 'black'],
  ['purple', 'orange', 'clear', 'cyan', 'white'],
];

/** Tall stacks on hidden numbers, in several colours a seat, as in High Rise. */
export const TOWERS = layout('square', squares(3, 3), {
  beside: 'supplies',
  kinds: {
    S: kind('small pyramid', { size: 'S', colours: GLASS }),
    M: kind('medium pyramid', { size: 'M', colours: GLASS }),
    L: kind('large pyramid', { size: 'L', colours: GLASS }),
  },
  effects: {
    ...EFFECTS,
    rolls: says('the dice show <numbers>; nobody knows what lies where', 'dice <numbers>', 'roll', 'roll'),
    places: says('<piece> comes to <0>', '<kind> on <0>', 'put', 'land'),
    reveals: says('<value> lies under <0>', 'the numbers are shown', 'open', 'reveal', 'the numbers are shown'),
    tied: says(', which is tied'),
    controls: says(', which <seat> <controls>'),
    scores: says(' for <value> points'),
    draw: says(''),
  },
  turn_limit: 50,
  repeats: true,
  tall: true,
  covers: true,
  counts: 'pip',
});

export const VIEW: View = {
  ...ANY,
  stacks: {},
  turn: 3,
};
