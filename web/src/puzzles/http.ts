/** What the server tells of puzzles. Each error is one clear sentence. */

import { ask, read } from '../app/http';
import type { PuzzleCollection, PuzzleVerdict, TableCreated } from '../wire';

/** The puzzles of a game, without their answers. */
export async function fetchPuzzles(game: string): Promise<PuzzleCollection> {
  return (await read(addressOf(game))).json() as Promise<PuzzleCollection>;
}

/** A table where a puzzle begins. */
export async function createTry(game: string, puzzle: string): Promise<TableCreated> {
  return (await ask(addressOf(game, puzzle), { method: 'POST' })).json() as Promise<TableCreated>;
}

/** What became of a puzzle at its table; `waits`: the solver says that there is nothing to do. */
export async function fetchVerdict(
  game: string,
  puzzle: string,
  table: string,
  waits: boolean,
): Promise<PuzzleVerdict> {
  const answer = await ask(`${addressOf(game, puzzle, table)}${waits ? '?waits=1' : ''}`);
  return answer.json() as Promise<PuzzleVerdict>;
}

/** What the solver of a puzzle sees at first. */
export function pictureAddress(game: string, puzzle: string): string {
  return addressOf(game, puzzle, 'picture.svg');
}

function addressOf(...names: string[]): string {
  return ['api/puzzles', ...names.map(encodeURIComponent)].join('/');
}
