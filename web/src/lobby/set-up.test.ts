import { describe, expect, it } from 'vitest';
import type { GameInfo, OptionSpec } from '../wire';
import {
  againstComputer,
  firstGame,
  measured,
  onOneScreen,
  byLink,
  canChooseSeat,
  sitAt,
  presetNames,
  presetOf,
  splitOptions,
  tableRequest,
  parseValue,
  partnerWords,
  playerCounts,
  withKind,
  withOptions,
  withPlayers,
  withPreset,
} from './set-up';

const LIMIT: OptionSpec = { name: 'limit', kind: 'int', default: 400, help: '', rule: null, recommended: 400 };
const VALUES: OptionSpec = {
  name: 'values',
  kind: 'list',
  default: 'dice',
  help: '',
  rule: null,
  recommended: 'dice',
};
const READINGS = [
  { label: 'Strict', about: 'Short.' },
  { label: 'Kind', about: 'Long.' },
];
const WAY: OptionSpec = {
  name: 'way',
  kind: 'choice',
  default: 'strict',
  help: '',
  rule: null,
  recommended: 'kind',
  choices: ['strict', 'kind'],
  readings: READINGS,
};
const GAME: GameInfo = {
  name: 'game',
  title: 'Game',
  summary: '',
  players: [2, 4],
  turns: true,
  default_players: 2,
  options: [LIMIT, VALUES],
  presets: { short: { limit: 20 } },
  levels: ['weak', 'fair', 'strong'].map((name) => ({ name, title: name, about: '' })),
  colours: ['red', 'blue', 'green', 'yellow'],
  random_seats: false,
  measured: { 2: 'About 20 turns.' },
  playing_time: '8 to 17 minutes',
  favours: null,
  workshop: false,
  teams: {
    4: [
      [0, 2],
      [1, 3],
    ],
  },
};

describe('measurements', () => {
  it('apply to the options and the number of players that were measured', () => {
    const usual = againstComputer(GAME, 'Ann', 'fair');
    expect(measured(usual)).toBe('About 20 turns.');
    expect(measured(withPlayers(usual, 3, 'fair'))).toBeUndefined();
    expect(measured(withOptions(usual, { limit: 10 }))).toBeUndefined();
    expect(measured(withOptions(usual, { limit: 400 }))).toBe('About 20 turns.');
  });
});

describe('quick starts', () => {
  it('play two games if a seat is better and seats can be swapped', () => {
    for (const make of [byLink, onOneScreen, (game: GameInfo) => againstComputer(game, '', 'fair')]) {
      expect(tableRequest(make(GAME, '')).pair).toBeUndefined();
      expect(tableRequest(make({ ...GAME, favours: 1 }, '')).pair).toBe(true);
      expect(tableRequest(make({ ...GAME, favours: 1, default_players: 3 }, '')).pair).toBeUndefined();
      expect(tableRequest(make({ ...GAME, favours: 1, turns: false }, '')).pair).toBeUndefined();
    }
  });

  it('by link: the other seats are open, and only then may the table be public', () => {
    const open = byLink(GAME, '');
    expect(tableRequest(open).seats.map(({ kind, name }) => [kind, name])).toEqual([
      ['person', 'Player 1'],
      ['open', ''],
    ]);
    expect(tableRequest({ ...open, public: true }).public).toBe(true);
    expect(tableRequest({ ...againstComputer(GAME, '', 'fair'), public: true }).public).toBe(false);
  });

  it('against the computer: you first, every option at its default', () => {
    expect(tableRequest(againstComputer(GAME, 'Ann', 'strong'))).toEqual({
      game: 'game',
      public: false,
      live: true,
      random_seats: false,
      options: { players: 2, limit: 400, values: 'dice' },
      seats: [
        { kind: 'person', name: 'Ann', level: null },
        { kind: 'bot', name: '', level: 'strong' },
      ],
    });
  });

  it('for newcomers, where a game has such a preset: against the weakest', () => {
    expect(firstGame(GAME, 'Ann')).toBeNull();
    const first = firstGame({ ...GAME, presets: { first: { limit: 20 } } }, 'Ann');
    expect(first?.options).toEqual({ limit: 20, values: 'dice' });
    expect(first?.seats.map(({ level }) => level)).toEqual([null, 'weak']);
    const alone = firstGame({ ...GAME, presets: { first: { players: 1 } } }, 'Ann');
    expect(alone?.seats).toHaveLength(1);
  });

  it('shuffle seats if the rules say so, but not at one screen', () => {
    const drawn = { ...GAME, random_seats: true };
    expect(tableRequest(againstComputer(drawn, '', 'fair')).random_seats).toBe(true);
    expect(tableRequest(byLink(drawn, '')).random_seats).toBe(true);
    expect(tableRequest(onOneScreen(drawn, '')).random_seats).toBe(false);
    expect(tableRequest({ ...againstComputer(drawn, '', 'fair'), seats: [] }).random_seats).toBe(false);
    expect(canChooseSeat(drawn)).toBe(false);
  });

  it('otherwise let the user choose a seat', () => {
    expect(canChooseSeat(GAME)).toBe(true);
    expect(canChooseSeat({ ...GAME, turns: false })).toBe(false);
    const names = (seat: number) => sitAt(againstComputer(GAME, 'Ann', 'fair'), seat).seats.map(({ name }) => name);
    expect([names(0), names(1)]).toEqual([
      ['Ann', ''],
      ['', 'Ann'],
    ]);
  });

  it('on one screen: a person on every seat', () => {
    const { seats } = onOneScreen(GAME, '');
    expect(seats.map((seat) => `${seat.kind} ${seat.name}`)).toEqual(['person Player 1', 'person Player 2']);
  });
});

it('starts with recommended options, and separates those that decide the way to play', () => {
  const game = { ...GAME, options: [LIMIT, WAY], presets: {} };
  expect(tableRequest(onOneScreen(game, '')).options).toEqual({ players: 2, limit: 400, way: 'kind' });
  expect(withOptions(onOneScreen(game, ''), { way: 'strict' }).options).toEqual({ limit: 400, way: 'strict' });
  expect(splitOptions(game)).toEqual({ prominent: [WAY], others: [LIMIT] });
});

it('an analysis board is for one person with all seats, and has no terms', () => {
  const { seats } = onOneScreen(GAME, 'Ann');
  const clock = { per: 'act', seconds: 30, increment: 0 } as const;
  const board = { ...onOneScreen(GAME, 'Ann'), explore: true, clock, pair: true };
  expect(tableRequest(board)).toEqual({
    game: GAME.name,
    options: { players: seats.length, ...board.options },
    seats,
    explore: true,
  });
  expect(tableRequest({ ...againstComputer(GAME, '', 'fair'), explore: true })).not.toHaveProperty('explore');
  expect(tableRequest({ ...board, game: { ...GAME, turns: false } })).not.toHaveProperty('explore');
});

it('a pair needs two players who take turns', () => {
  const two = { ...againstComputer(GAME, '', 'fair'), pair: true };
  expect(tableRequest(two).pair).toBe(true);
  expect(tableRequest(withPlayers(two, 3, 'fair'))).not.toHaveProperty('pair');
  expect(tableRequest({ ...two, game: { ...GAME, turns: false } })).not.toHaveProperty('pair');
});

it('requests a clock only if one is chosen', () => {
  const plain = againstComputer(GAME, '', null);
  expect(tableRequest(plain)).not.toHaveProperty('clock');
  const clock = { per: 'game', seconds: 300, increment: 5 } as const;
  expect(tableRequest({ ...plain, clock }).clock).toEqual(clock);
});

describe('seats', () => {
  const two = againstComputer(GAME, 'Ann', 'weak');

  it('come and go with the number of players, each bot under its own name', () => {
    const four = withPlayers(two, 4, 'fair');
    expect(four.seats.map((seat) => seat.name)).toEqual(['Ann', '', '', '']);
    expect(withPlayers(four, 2, 'fair').seats).toEqual(two.seats);
    expect(tableRequest(four).options['players']).toBe(4);
  });

  it('are people’s if a game has no levels', () => {
    expect(withPlayers(two, 3, null).seats[2]).toEqual({ kind: 'person', name: 'Player 3', level: null });
  });

  it('change between person and computer', () => {
    expect(withKind(two, 0, 'bot', 'fair').seats[0]).toEqual({ kind: 'bot', name: '', level: 'fair' });
    expect(withKind(two, 1, 'person', 'fair').seats[1]).toEqual({
      kind: 'person',
      name: 'Player 2',
      level: null,
    });
  });
});

it('a preset changes its options and resets the others', () => {
  const changed = { ...againstComputer(GAME, '', null), options: { limit: 5, values: [1, 2] } };
  expect(withPreset(changed, 'short').options).toEqual({ limit: 20, values: 'dice' });
  expect(withPreset(changed, '').options).toEqual({ limit: 400, values: 'dice' });
});

it('recognises a preset by its options', () => {
  const plain = againstComputer(GAME, '', null);
  expect(presetOf(plain)).toBe('');
  expect(presetOf(withPreset(plain, 'short'))).toBe('short');
  expect(presetOf({ ...plain, options: { ...plain.options, limit: 21 } })).toBeNull();
});

it('lists the recommended options unless a preset has the same ones', () => {
  expect(presetNames(GAME)).toEqual(['', 'short']);
  expect(presetNames({ ...GAME, presets: { classic: { limit: 400 }, short: { limit: 20 } } })).toEqual([
    'classic',
    'short',
  ]);
});

it.each([
  [LIMIT, ' 12 ', 12],
  [LIMIT, 'many', 'many'],
  [LIMIT, '', ''],
  [VALUES, 'dice', 'dice'],
  [VALUES, '10, 20,0', [10, 20, 0]],
  [{ ...VALUES, default: [1] }, '7', [7]],
  [{ ...VALUES, default: [1] }, '', []],
])('for %o the text "%s" is %j', (spec, text, value) => {
  expect(parseValue(spec, text)).toEqual(value);
});

it('hides hands only in games without turns', () => {
  const hidden = { ...againstComputer(GAME, '', 'fair'), hands: false };
  expect(tableRequest(hidden)).not.toHaveProperty('hands');
  expect(tableRequest({ ...hidden, game: { ...GAME, turns: false } })).toMatchObject({ hands: false });
  expect(tableRequest({ ...hidden, hands: true, game: { ...GAME, turns: false } })).not.toHaveProperty('hands');
});

it.each([
  [4, 0, 'with seat 3'],
  [4, 2, 'with Ann'],
  [3, 0, ''],
])('names the partners among %d players of seat %d: "%s"', (players, seat, words) => {
  expect(partnerWords(withPlayers(againstComputer(GAME, 'Ann', 'fair'), players, 'fair'), seat)).toBe(words);
});

it('lists the numbers of players from the least on', () => {
  expect(playerCounts(GAME)).toEqual([2, 3, 4]);
  expect(playerCounts({ ...GAME, players: [1, 3] }, 2)).toEqual([2, 3]);
  expect(playerCounts({ ...GAME, players: [1, 1] }, 2)).toEqual([]);
});
