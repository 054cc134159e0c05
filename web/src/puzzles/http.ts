/** The server’s HTTP interface for puzzles. Errors are sentences for users. */

import { ask, read } from '../app/http';
import type { PuzzleCollection, PuzzleVerdict, TableCreated } from '../wire';

/** The puzzles of a game, without their answers. */
export async function fetchPuzzles(game: string): Promise<PuzzleCollection> {
  return (await read(addressOf(game))).json() as Promise<PuzzleCollection>;
}

/** Creates a table at the start of a puzzle. */
export async function createTry(game: string, puzzle: string): Promise<TableCreated> {
  return (await ask(addressOf(game, puzzle), { method: 'POST' })).json() as Promise<TableCreated>;
}

/** The verdict on the acts at a puzzle’s table; `waits`: the answer is to do nothing. */
export async function fetchVerdict(
  game: string,
  puzzle: string,
  table: string,
  waits: boolean,
): Promise<PuzzleVerdict> {
  const response = await ask(`${addressOf(game, puzzle, table)}${waits ? '?waits=1' : ''}`);
  return response.json() as Promise<PuzzleVerdict>;
}

/** The picture of a puzzle’s first position, as its solver sees it. */
export function pictureAddress(game: string, puzzle: string): string {
  return addressOf(game, puzzle, 'picture.svg');
}

function addressOf(...names: string[]): string {
  return ['api/puzzles', ...names.map(encodeURIComponent)].join('/');
}
