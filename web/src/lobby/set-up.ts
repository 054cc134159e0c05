/** Immutable set-ups of new tables. */

import { clockWords } from '../app/clocks';
import { list } from '../app/words';
import type { Clock, GameInfo, Match, OptionSpec, Options, SeatRequest, TableRequest, Value } from '../wire';

export interface SetUp {
  game: GameInfo;
  options: Options;
  seats: SeatRequest[];
  /** Whether the lobby lists the table, so that anyone can take an open seat. */
  public: boolean;
  /** Whether spectators can watch the game while it is played. */
  live: boolean;
  /** Whether seats are shuffled when all of them are taken. */
  random_seats: boolean;
  /** The time control; null: no limit. */
  clock: Clock | null;
  /** Whether to play two games, with seats swapped for the second. */
  pair: boolean;
  /** A match of several games; null: none. */
  match: Match | null;
  /** Whether the table is an analysis board. */
  explore: boolean;
  /** Whether players see where the others are aiming, in games without turns. */
  hands: boolean;
  scripts: boolean;
}

export type GameWithOptions = Pick<SetUp, 'game' | 'options'>;

const DEFAULTS = { public: false, live: true, clock: null, explore: false, hands: true, scripts: false, match: null };
const OPEN_SEAT: SeatRequest = { kind: 'open', name: '', level: null };

/** Recommended options; the first seat is a person's, the others the computer's. */
export function againstComputer(game: GameInfo, name: string, level: string | null): SetUp {
  const seats: SeatRequest[] = [person(name || 'Player 1')];
  const setUp = {
    ...DEFAULTS,
    game,
    options: defaults(game),
    seats,
    random_seats: game.random_seats,
    pair: isUneven(game),
  };
  return withPlayers(setUp, game.default_players, level);
}

/** The preset for newcomers, if the game has one, against the weakest level. */
export function firstGame(game: GameInfo, name: string): SetUp | null {
  const [weakest] = game.levels;
  const preset = game.presets['first'];
  if (!weakest || !preset) return null;
  const players = Number(preset['players'] ?? game.default_players);
  return withPreset(withPlayers(againstComputer(game, name, weakest.name), players, weakest.name), 'first');
}

/** Recommended options, a person on every seat. Players at one screen decide by themselves who begins. */
export function onOneScreen(game: GameInfo, name: string): SetUp {
  const seats = Array.from({ length: game.default_players }, (_, seat) => person(`Player ${seat + 1}`));
  if (name) seats[0] = person(name);
  return { ...DEFAULTS, game, options: defaults(game), seats, random_seats: false, pair: isUneven(game) };
}

/** Recommended options; the other seats are open to players with a link. */
export function byLink(game: GameInfo, name: string): SetUp {
  const others = Array.from({ length: game.default_players - 1 }, () => OPEN_SEAT);
  const seats = [person(name || 'Player 1'), ...others];
  return { ...DEFAULTS, game, options: defaults(game), seats, random_seats: game.random_seats, pair: isUneven(game) };
}

/** Whether the recommended options clearly favour one of two seats, so that two games with swapped seats are fairer. */
export function isUneven({ turns, default_players: players, favours }: GameInfo): boolean {
  return turns && players === 2 && favours !== null;
}

/** Whether the rules leave it to the players who begins. */
export function canChooseSeat({ turns, random_seats, default_players: players }: GameInfo): boolean {
  return turns && !random_seats && players > 1;
}

/** Moves the first player to another seat. */
export function sitAt(setUp: SetUp, seat: number): SetUp {
  const [me, ...others] = setUp.seats;
  return me ? { ...setUp, seats: [...others.slice(0, seat), me, ...others.slice(seat)] } : setUp;
}

/** The numbers of players that a game allows, from `least` on. */
export function playerCounts({ players: [min, max] }: GameInfo, least = 1): number[] {
  const first = Math.max(min, least);
  return Array.from({ length: Math.max(0, max - first + 1) }, (_, more) => first + more);
}

/** Changes the number of players. Additional seats are the computer's if the game has levels, else people's. */
export function withPlayers(setUp: SetUp, players: number, level: string | null): SetUp {
  const seats = setUp.seats.slice(0, players);
  while (seats.length < players) {
    seats.push(level === null ? person(`Player ${seats.length + 1}`) : bot(level));
  }
  return { ...setUp, seats };
}

export function withKind(setUp: SetUp, seat: number, kind: SeatRequest['kind'], level: string): SetUp {
  if (kind === 'open') return withSeat(setUp, seat, OPEN_SEAT);
  return withSeat(setUp, seat, kind === 'bot' ? bot(level) : person(`Player ${seat + 1}`));
}

export function withSeat(setUp: SetUp, seat: number, request: SeatRequest): SetUp {
  return { ...setUp, seats: setUp.seats.map((other, index) => (index === seat ? request : other)) };
}

export function withOptions(setUp: SetUp, options: Options): SetUp {
  return { ...setUp, options: { ...setUp.options, ...options } };
}

/** Applies a preset; options that it leaves out get their recommended values. */
export function withPreset<T extends GameWithOptions>(chosen: T, preset: string): T {
  return { ...chosen, options: { ...defaults(chosen.game), ...chosen.game.presets[preset] } };
}

/** Separates the options that decide the way to play, which pages show first, from the others. */
export function splitOptions({ options }: GameInfo): { prominent: OptionSpec[]; others: OptionSpec[] } {
  const prominent = options.filter(({ readings }) => readings);
  return { prominent, others: options.filter((spec) => !prominent.includes(spec)) };
}

/** The presets of a game; '' stands for the recommended options, unless a preset has the same ones. */
export function presetNames(game: GameInfo): string[] {
  const names = Object.keys(game.presets);
  return names.some((name) => isPreset({ game, options: defaults(game) }, name)) ? names : ['', ...names];
}

/** The preset with these options; null if there is none. */
export function presetOf(chosen: GameWithOptions): string | null {
  return presetNames(chosen.game).find((name) => isPreset(chosen, name)) ?? null;
}

/** Measurements of bot games with this number of players; undefined for changed options. */
export function measured(setUp: SetUp): string | undefined {
  return isPreset(setUp, '') ? setUp.game.measured[setUp.seats.length] : undefined;
}

/** "with Ann and seat 4": the seats that win together with a seat; empty if none do. */
export function partnerWords({ game, seats }: Pick<SetUp, 'game' | 'seats'>, seat: number): string {
  const team = game.teams[seats.length]?.find((team) => team.includes(seat)) ?? [];
  const names = team.filter((other) => other !== seat).map((other) => seats[other]?.name.trim() || `seat ${other + 1}`);
  return names.length > 0 ? `with ${list(names)}` : '';
}

/** Whether swapping seats for a second game is possible and makes a difference. */
export function mayPair({ game, seats }: SetUp): boolean {
  return game.turns && seats.length === 2;
}

/** Whether the table can be an analysis board, where one person has all seats. */
export function mayExplore({ game, seats }: SetUp): boolean {
  return game.turns && seats.length > 1 && seats.every(({ kind }) => kind === 'person');
}

export function hasOpenSeat({ seats }: SetUp): boolean {
  return seats.some((seat) => seat.kind === 'open');
}

export function tableRequest(setUp: SetUp): TableRequest {
  const game = setUp.game.name;
  const options = { players: setUp.seats.length, ...setUp.options };
  const seats = setUp.seats.map((seat) => ({ ...seat, name: seat.name.trim() }));
  if (setUp.explore && mayExplore(setUp)) return { game, options, seats, explore: true };
  return {
    game,
    options,
    seats,
    public: setUp.public && hasOpenSeat(setUp),
    live: setUp.live,
    random_seats: setUp.random_seats && setUp.seats.length > 1,
    ...(setUp.clock ? { clock: setUp.clock } : {}),
    ...(setUp.hands || setUp.game.turns ? {} : { hands: false }),
    ...(setUp.scripts && !setUp.game.turns && !setUp.public ? { scripts: true } : {}),
    ...(setUp.pair && mayPair(setUp) ? { pair: true } : {}),
    ...(setUp.match && mayMatch(setUp, setUp.match) ? { match: setUp.match } : {}),
  };
}

/** The usual lengths of matches; five games are customary in Icehouse. */
export const MATCHES: readonly Match[] = [
  { until: 'wins', number: 2 },
  { until: 'wins', number: 3 },
  { until: 'wins', number: 5 },
  { until: 'games', number: 3 },
  { until: 'games', number: 5 },
  { until: 'games', number: 10 },
];

/** Games for one player have no wins to count, but points to add up. */
export function mayMatch({ seats }: SetUp, { until }: Match): boolean {
  return until === 'games' || seats.length > 1;
}

/** The usual time controls, by name. */
export const CLOCKS: readonly { label: string; clock: Clock }[] = (
  [
    { per: 'act', seconds: 30, increment: 0 },
    { per: 'act', seconds: 120, increment: 0 },
    { per: 'game', seconds: 300, increment: 5 },
    { per: 'game', seconds: 900, increment: 10 },
    ...[1, 2, 3, 5, 7, 14].map((days) => ({ per: 'act', seconds: days * 86_400, increment: 0 }) as const),
  ] as const
).map((clock) => ({ label: clockWords(clock), clock }));

/** Parses the typed value of an option. Text that isn’t a number stays text: the server reports the allowed values. */
export function parseValue(spec: OptionSpec, text: string): Value {
  const trimmed = text.trim();
  if (spec.kind === 'list' && (trimmed.includes(',') || Array.isArray(spec.default))) {
    return trimmed === '' ? [] : trimmed.split(',').map((part) => numberOrText(part.trim()));
  }
  return numberOrText(trimmed);
}

function defaults(game: GameInfo): Options {
  return Object.fromEntries(game.options.map((spec) => [spec.name, spec.recommended]));
}

function isPreset(chosen: GameWithOptions, name: string): boolean {
  return Object.entries(withPreset(chosen, name).options).every(
    ([option, value]) => JSON.stringify(value) === JSON.stringify(chosen.options[option]),
  );
}

function person(name: string): SeatRequest {
  return { kind: 'person', name, level: null };
}

/** The server names bots without a name. */
function bot(level: string): SeatRequest {
  return { kind: 'bot', name: '', level };
}

function numberOrText(text: string): Value {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
