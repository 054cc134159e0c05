/**
 * Elo ratings of this browser’s user, estimated from finished games against the computer.
 *
 * The levels of a game are evenly spaced on the scale. The rating is a maximum likelihood estimate, with a win and a
 * loss against the middle level as the prior, so that a few games don’t move it to an end of the scale.
 */

import type { StoredTable } from '../app/tables';
import { numberWords } from '../board/words';
import type { GameInfo, Level, Summary } from '../wire';

const POINTS_PER_LEVEL = 200;
/** At this difference, the stronger player wins ten games of eleven. */
const TEN_TO_ONE_POINTS = 400;
/** Maximum distance of a rating from the middle level. */
const MAX_DISTANCE = 4000;
/** Enough bisections for a precision of a thousandth. */
const BISECTIONS = 24;
const MIN_GAMES = 3;

export interface Result {
  /** The rating of the opponent. */
  opponent: number;
  /** 1 for a win, 0 for a loss. */
  score: number;
  /** The weights of a game’s results add up to 1. */
  weight: number;
}

export interface Estimate {
  rating: number;
  /** Standard error. */
  error: number;
}

export interface Rating extends Estimate {
  game: string;
  title: string;
  /** From the weakest to the strongest. */
  levels: Level[];
  players: number;
  games: number;
  /** The last game, in milliseconds since 1970. */
  when: number;
}

/** The expected score at a difference of ratings. */
export function expectedScore(difference: number): number {
  return 1 / (1 + 10 ** (-difference / TEN_TO_ONE_POINTS));
}

/** The rating halfway between the weakest and the strongest level. */
function middleRating(levels: number): number {
  return (POINTS_PER_LEVEL * (levels - 1)) / 2;
}

/** Finds the rating at which the expected scores add up to the actual ones. `middle`: that of the levels. */
export function estimate(results: readonly Result[], middle: number): Estimate {
  const prior = [1, 0].map((score) => ({ opponent: middle, score, weight: 1 }));
  const all = [...prior, ...results];
  let [low, high] = [middle - MAX_DISTANCE, middle + MAX_DISTANCE];
  for (let i = 0; i < BISECTIONS; i += 1) {
    const rating = (low + high) / 2;
    const surplus = sum(all, ({ opponent, score }) => score - expectedScore(rating - opponent));
    if (surplus > 0) low = rating;
    else high = rating;
  }
  const rating = (low + high) / 2;
  const information = sum(all, ({ opponent }) => expectedScore(rating - opponent) * expectedScore(opponent - rating));
  return { rating, error: TEN_TO_ONE_POINTS / (Math.LN10 * Math.sqrt(information)) };
}

function sum(results: readonly Result[], value: (result: Result) => number): number {
  return results.reduce((total, result) => total + result.weight * value(result), 0);
}

/**
 * The results of a finished game of one person against the computer, without help; empty for other games. A winner
 * beats each loser; winners draw with each other, and so do losers.
 */
export function resultsOf(table: StoredTable, { over, seats, winners }: Summary, levels: readonly Level[]): Result[] {
  const [me, ...more] = seats.filter(({ mine }) => mine);
  const others = seats.filter(({ mine }) => !mine);
  const indexOf = (name: string | null): number => levels.findIndex((level) => level.name === name);
  const indices = others.map(({ kind, level }) => (kind === 'bot' ? indexOf(level) : -1));
  if (!over || table.helped || !me || more.length > 0 || indices.includes(-1)) return [];
  const won = (seat: number): number => Number(winners.includes(seat));
  return others.map(({ seat }, index) => ({
    opponent: POINTS_PER_LEVEL * indices[index]!,
    score: (1 + won(me.seat) - won(seat)) / 2,
    weight: 1 / others.length,
  }));
}

/** The ratings by game and number of players, the last played first. */
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
    .filter(({ results }) => results.length >= MIN_GAMES)
    .map(({ about: { game, title, seats }, levels, results, when }) => ({
      game,
      title,
      levels,
      players: seats.length,
      games: results.length,
      when,
      ...estimate(results.flat(), middleRating(levels.length)),
    }))
    .sort((a, b) => b.when - a.when);
}

/** The level nearest to a rating. */
export function levelOf({ levels, rating }: Pick<Rating, 'levels' | 'rating'>): Level {
  return levels[Math.min(Math.max(Math.round(rating / POINTS_PER_LEVEL), 0), levels.length - 1)]!;
}

/** "IceFrogs with 3 players: you play like Skilled – after 7 games, give or take a level." */
export function ratingWords({ title, levels, players, games, rating, error }: Rating): string {
  const level = levelOf({ levels, rating });
  const more = Math.round(rating / POINTS_PER_LEVEL) >= levels.length ? ' or better' : '';
  const game = players > 2 ? `${title} with ${players} players` : title;
  return `${game}: you play like ${level.title}${more} – after ${games} games, ${marginWords(error)}.`;
}

/** Half the width of the 95% confidence interval, in levels. */
function marginWords(error: number): string {
  const levels = Math.ceil((2 * error) / POINTS_PER_LEVEL);
  return `give or take ${levels === 1 ? 'a level' : `${numberWords(levels)} levels`}`;
}
