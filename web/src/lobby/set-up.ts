/** A table being set up: plain data, changed by copying. */

import { clockWords } from '../app/clocks';
import type { Clock, GameInfo, Match, OptionSpec, Options, SeatRequest, TableRequest, Value } from '../wire';

export interface SetUp {
  game: GameInfo;
  options: Options;
  seats: SeatRequest[];
  /** The lobby lists it, and anyone can take an open seat. */
  public: boolean;
  /** Spectators see the game while it is played. */
  live: boolean;
  /** Seats are shuffled once all of them are taken. */
  lots: boolean;
  /** The time control; null: no limit. */
  clock: Clock | null;
  /** Two games belong together; the players change seats for the second. */
  pair: boolean;
  /** Games that belong together until somebody has won; null: none. */
  match: Match | null;
  /** It is for trying things, with analysis by the computer. */
  explore: boolean;
  /** Where all play at once, all see where the others aim. */
  hands: boolean;
}

/** A game with its options. */
export type Chosen = Pick<SetUp, 'game' | 'options'>;

const USUAL = { public: false, live: true, clock: null, explore: false, hands: true, match: null };
const OPEN: SeatRequest = { kind: 'open', name: '', level: null };

/** Every option as it is recommended; the first seat is a person's, the others the computer's. */
export function againstComputer(game: GameInfo, name: string, level: string | null): SetUp {
  const seats: SeatRequest[] = [person(name || 'Player 1')];
  const setUp = { ...USUAL, game, options: defaults(game), seats, lots: game.lots, pair: isUneven(game) };
  return withPlayers(setUp, game.default_players, level);
}

/** What a game offers to newcomers: a preset of that name, against the weakest computer players. */
export function firstGame(game: GameInfo, name: string): SetUp | null {
  const [weakest] = game.levels;
  if (!weakest || !game.presets['first']) return null;
  return withPreset(againstComputer(game, name, weakest.name), 'first');
}

/** Every option as it is recommended, a person on every seat; who share a screen decide by themselves who begins. */
export function onOneScreen(game: GameInfo, name: string): SetUp {
  const seats = Array.from({ length: game.default_players }, (_, seat) => person(`Player ${seat + 1}`));
  if (name) seats[0] = person(name);
  return { ...USUAL, game, options: defaults(game), seats, lots: false, pair: isUneven(game) };
}

/** Every option as it is recommended; the other seats are open to players who get a link. */
export function byLink(game: GameInfo, name: string): SetUp {
  const others = Array.from({ length: game.default_players - 1 }, () => OPEN);
  const seats = [person(name || 'Player 1'), ...others];
  return { ...USUAL, game, options: defaults(game), seats, lots: game.lots, pair: isUneven(game) };
}

/** Whether one of two seats is clearly better, as the game is usually played: then two games with seats changed are fair. */
export function isUneven({ turns, default_players: players, favours }: GameInfo): boolean {
  return turns && players === 2 && favours !== null;
}

/** Whether it matters who begins, and the rules leave it open. */
export function choosesSeat({ turns, lots, default_players: players }: GameInfo): boolean {
  return turns && !lots && players > 1;
}

/** The first seat’s player at another one. */
export function sitAt(setUp: SetUp, seat: number): SetUp {
  const [me, ...others] = setUp.seats;
  return me ? { ...setUp, seats: [...others.slice(0, seat), me, ...others.slice(seat)] } : setUp;
}

/** More seats are the computer's where the game has computer players, else people's. */
export function withPlayers(setUp: SetUp, players: number, level: string | null): SetUp {
  const seats = setUp.seats.slice(0, players);
  while (seats.length < players) {
    seats.push(level === null ? person(`Player ${seats.length + 1}`) : bot(level));
  }
  return { ...setUp, seats };
}

export function withKind(setUp: SetUp, seat: number, kind: SeatRequest['kind'], level: string): SetUp {
  if (kind === 'open') return withSeat(setUp, seat, OPEN);
  return withSeat(setUp, seat, kind === 'bot' ? bot(level) : person(`Player ${seat + 1}`));
}

export function withSeat(setUp: SetUp, seat: number, one: SeatRequest): SetUp {
  return { ...setUp, seats: setUp.seats.map((other, index) => (index === seat ? one : other)) };
}

export function withOptions(setUp: SetUp, options: Options): SetUp {
  return { ...setUp, options: { ...setUp.options, ...options } };
}

/** What a preset leaves out goes back to what is recommended. */
export function withPreset<T extends Chosen>(chosen: T, preset: string): T {
  return { ...chosen, options: { ...defaults(chosen.game), ...chosen.game.presets[preset] } };
}

/** The options whose choices players should weigh, and all others. */
export function sortOptions({ options }: GameInfo): { weighed: OptionSpec[]; others: OptionSpec[] } {
  const weighed = options.filter(({ readings }) => readings);
  return { weighed, others: options.filter((spec) => !weighed.includes(spec)) };
}

/** The presets of a game; '' is the plain recommendation, listed where no preset has a name for them. */
export function presetNames(game: GameInfo): string[] {
  const names = Object.keys(game.presets);
  return names.some((name) => isPreset({ game, options: defaults(game) }, name)) ? names : ['', ...names];
}

/** Which preset the options make up; null when they were changed by hand. */
export function presetOf(chosen: Chosen): string | null {
  return presetNames(chosen.game).find((name) => isPreset(chosen, name)) ?? null;
}

/** What games of bots have shown of this number of players; nothing where options were changed. */
export function measured(setUp: SetUp): string | undefined {
  return isPreset(setUp, '') ? setUp.game.measured[setUp.seats.length] : undefined;
}

/** Whether the players can change seats for a second game, and it makes a difference. */
export function mayPair({ game, seats }: SetUp): boolean {
  return game.turns && seats.length === 2;
}

/** Whether the table can be for trying things: one person holds all seats. */
export function mayExplore({ game, seats }: SetUp): boolean {
  return game.turns && seats.length > 1 && seats.every(({ kind }) => kind === 'person');
}

export function hasOpen({ seats }: SetUp): boolean {
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
    public: setUp.public && hasOpen(setUp),
    live: setUp.live,
    lots: setUp.lots && setUp.seats.length > 1,
    ...(setUp.clock ? { clock: setUp.clock } : {}),
    ...(setUp.hands || setUp.game.turns ? {} : { hands: false }),
    ...(setUp.pair && mayPair(setUp) ? { pair: true } : {}),
    ...(setUp.match && mayMatch(setUp, setUp.match) ? { match: setUp.match } : {}),
  };
}

/** The usual lengths of matches; five games are Icehouse's by custom. */
export const MATCHES: readonly Match[] = [
  { until: 'wins', number: 2 },
  { until: 'wins', number: 3 },
  { until: 'wins', number: 5 },
  { until: 'games', number: 3 },
  { until: 'games', number: 5 },
  { until: 'games', number: 10 },
];

/** Who plays alone adds up points. */
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

/**
 * The value that typed text stands for. Text that is no number is passed on as it is: the server knows the
 * allowed values and names them.
 */
export function typedValue(spec: OptionSpec, text: string): Value {
  const trimmed = text.trim();
  if (spec.kind === 'list' && (trimmed.includes(',') || Array.isArray(spec.default))) {
    return trimmed === '' ? [] : trimmed.split(',').map((part) => numberOrText(part.trim()));
  }
  return numberOrText(trimmed);
}

function defaults(game: GameInfo): Options {
  return Object.fromEntries(game.options.map((spec) => [spec.name, spec.recommended]));
}

function isPreset(chosen: Chosen, name: string): boolean {
  return Object.entries(withPreset(chosen, name).options).every(
    ([option, value]) => JSON.stringify(value) === JSON.stringify(chosen.options[option]),
  );
}

function person(name: string): SeatRequest {
  return { kind: 'person', name, level: null };
}

/** The server gives it a name. */
function bot(level: string): SeatRequest {
  return { kind: 'bot', name: '', level };
}

function numberOrText(text: string): Value {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
