/**
 * How well the reader plays, on the scale of the computer’s levels.
 *
 * The levels of a game are evenly spaced on an Elo scale. The reader’s place is the one that makes the results of the finished
 * games likeliest, with one win and one loss against the middle level to begin with: few games move nobody to the end
 * of the scale.
 */

import type { StoredTable } from '../app/tables';
import { numberWords } from '../board/words';
import type { GameInfo, Level, Summary } from '../wire';

/** From one level to the next. */
const STEP = 200;
/** From this difference on the stronger one wins ten games of eleven. */
const TENFOLD = 400;
/** Nobody is further from the middle. */
const FAR = 4000;
/** Halvings of the scale: to less than a thousandth. */
const HALVINGS = 24;
/** Fewer games tell too little. */
const FEWEST = 3;

/** What a game came to against an opponent at that place: 1 is a win, 0 a loss. */
export interface Result {
  place: number;
  share: number;
  /** Results of one game weigh 1 together. */
  weight: number;
}

export interface Estimate {
  rating: number;
  /** The standard error. */
  error: number;
}

export interface Rating extends Estimate {
  game: string;
  title: string;
  /** The weakest first. */
  levels: Level[];
  players: number;
  games: number;
  /** Milliseconds since 1970: the last of the games. */
  when: number;
}

/** The share of a game that is expected at that difference of places. */
export function expected(difference: number): number {
  return 1 / (1 + 10 ** (-difference / TENFOLD));
}

/** The place of the middle of so many levels. */
function middleOf(levels: number): number {
  return (STEP * (levels - 1)) / 2;
}

/** Where the sum of what was won is what is expected: it falls as the rating grows. `middle`: that of the levels. */
export function estimate(results: readonly Result[], middle: number): Estimate {
  const prior = [1, 0].map((share) => ({ place: middle, share, weight: 1 }));
  const all = [...prior, ...results];
  let [low, high] = [middle - FAR, middle + FAR];
  for (let i = 0; i < HALVINGS; i += 1) {
    const rating = (low + high) / 2;
    const surplus = sum(all, ({ place, share }) => share - expected(rating - place));
    if (surplus > 0) low = rating;
    else high = rating;
  }
  const rating = (low + high) / 2;
  const information = sum(all, ({ place }) => expected(rating - place) * expected(place - rating));
  return { rating, error: TENFOLD / (Math.LN10 * Math.sqrt(information)) };
}

function sum(results: readonly Result[], what: (result: Result) => number): number {
  return results.reduce((total, result) => total + result.weight * what(result), 0);
}

/**
 * What a finished game tells: one of the reader against the computer alone, without help. Who wins takes the whole game
 * from each loser; winners share a game among themselves, and so do losers.
 */
export function resultsOf(table: StoredTable, { over, seats, winners }: Summary, levels: readonly Level[]): Result[] {
  const [me, ...more] = seats.filter(({ mine }) => mine);
  const others = seats.filter(({ mine }) => !mine);
  const placeOf = (name: string | null): number => levels.findIndex((level) => level.name === name);
  const places = others.map(({ kind, level }) => (kind === 'bot' ? placeOf(level) : -1));
  if (!over || table.helped || !me || more.length > 0 || places.includes(-1)) return [];
  const won = (seat: number): number => Number(winners.includes(seat));
  return others.map(({ seat }, index) => ({
    place: STEP * places[index]!,
    share: (1 + won(me.seat) - won(seat)) / 2,
    weight: 1 / others.length,
  }));
}

/** The ratings by games and numbers of players, the last played first. */
export function ratings(
  tables: readonly StoredTable[],
  summaries: ReadonlyMap<string, Summary>,
  games: readonly Pick<GameInfo, 'name' | 'levels'>[],
): Rating[] {
  const groups = new Map<string, { about: Summary; levels: Level[]; results: Result[][]; when: number }>();
  for (const table of tables) {
    const about = summaries.get(table.id);
    const levels = games.find(({ name }) => name === about?.game)?.levels ?? [];
    const results = about ? resultsOf(table, about, levels) : [];
    if (!about || results.length === 0) continue;
    const key = `${about.game} ${about.seats.length}`;
    const group = groups.get(key) ?? { about, levels, results: [], when: 0 };
    groups.set(key, group);
    group.results.push(results);
    group.when = Math.max(group.when, about.when);
  }
  return [...groups.values()]
    .filter(({ results }) => results.length >= FEWEST)
    .map(({ about: { game, title, seats }, levels, results, when }) => ({
      game,
      title,
      levels,
      players: seats.length,
      games: results.length,
      when,
      ...estimate(results.flat(), middleOf(levels.length)),
    }))
    .sort((one, other) => other.when - one.when);
}

/** The level that is nearest. */
export function levelOf({ levels, rating }: Pick<Rating, 'levels' | 'rating'>): Level {
  return levels[Math.min(Math.max(Math.round(rating / STEP), 0), levels.length - 1)]!;
}

/** "IceFrogs with 3 players: you play like Skilled – after 7 games, give or take a level." */
export function ratingWords({ title, levels, players, games, rating, error }: Rating): string {
  const level = levelOf({ levels, rating });
  const more = Math.round(rating / STEP) >= levels.length ? ' or better' : '';
  const game = players > 2 ? `${title} with ${players} players` : title;
  return `${game}: you play like ${level.title}${more} – after ${games} games, ${marginWords(error)}.`;
}

/** How many levels the estimate is off at most, nineteen times of twenty. */
function marginWords(error: number): string {
  const levels = Math.ceil((2 * error) / STEP);
  return `give or take ${levels === 1 ? 'a level' : `${numberWords(levels)} levels`}`;
}
