/** The server's HTTP interface: games, rules, lessons, tables, records. Errors are sentences for users. */

import type {
  Addresses,
  AnyReview,
  CopyRequest,
  GameInfo,
  HoldRequest,
  JoinRequest,
  Learned,
  Lesson,
  NetworkRequest,
  NextRequest,
  TransferRequest,
  Playtest,
  PlaytestCreated,
  PlaytestReport,
  PlaytestVisit,
  RecordRequest,
  Retried,
  ReviewProgress,
  RulesText,
  SeekRequest,
  Summary,
  TableCreated,
  TableRequest,
  Tournament,
  TournamentListing,
} from '../wire';
import { reach } from './offline.svelte';

/** The service worker never caches these: a response proves that the server is up. */
const NEVER_CACHED = 'api/tables';

/** The status of a review that is still being computed. */
const ACCEPTED = 202;

export async function fetchGames(): Promise<GameInfo[]> {
  return (await read('api/games')).json() as Promise<GameInfo[]>;
}

export async function fetchRules(game: string): Promise<RulesText> {
  return (await read(`api/rules/${encodeURIComponent(game)}`)).json() as Promise<RulesText>;
}

export async function fetchLesson(game: string): Promise<Lesson> {
  return (await read(`api/lessons/${encodeURIComponent(game)}`)).json() as Promise<Lesson>;
}

/** Creates a table at the start of a step of a lesson. */
export async function createExercise(game: string, step: string): Promise<TableCreated> {
  return (await ask(exerciseAddress(game, step), { method: 'POST' })).json() as Promise<TableCreated>;
}

/** Whether the task of a step has been done at its table. */
export async function fetchLearned(game: string, step: string, table: string): Promise<boolean> {
  const response = await ask(`${exerciseAddress(game, step)}/${encodeURIComponent(table)}`);
  return ((await response.json()) as Learned).done;
}

function exerciseAddress(game: string, step: string): string {
  return `api/lessons/${encodeURIComponent(game)}/${encodeURIComponent(step)}`;
}

/** The addresses at which others can open the pages, if this browser may know them. */
export async function fetchAddresses(): Promise<Addresses> {
  return (await ask('api/addresses')).json() as Promise<Addresses>;
}

/** Opens the server to one of its machine’s networks, or closes it again. */
export async function setNetwork(request: NetworkRequest): Promise<Addresses> {
  return post('api/addresses', request);
}

export async function fetchTournament(tournament: string): Promise<Tournament> {
  return (await ask(`api/tournaments/${encodeURIComponent(tournament)}`)).json() as Promise<Tournament>;
}

/** The public tournaments that are open or running. */
export async function fetchTournaments(): Promise<TournamentListing[]> {
  return (await ask('api/tournaments')).json() as Promise<TournamentListing[]>;
}

export async function isServerUp(): Promise<boolean> {
  return ask('api/tables').then(
    () => true,
    () => false,
  );
}

/** Summaries of those tables that the server still has. */
export async function fetchSummaries(tables: string[]): Promise<Summary[]> {
  return (await ask(`api/summaries?tables=${tables.map(encodeURIComponent).join(',')}`)).json() as Promise<Summary[]>;
}

/** Registers this browser as the holder of seats at a table; returns the table's summary. */
export async function holdSeats(table: string, codes: string[]): Promise<Summary> {
  return post(`api/tables/${encodeURIComponent(table)}/hold`, { codes });
}

/** The picture of a table as spectators see it; `light`: in light colours even on a dark screen. */
export function pictureAddress(table: string, light = false): string {
  return `api/tables/${encodeURIComponent(table)}/picture.svg${light ? '#light' : ''}`;
}

/** The picture as SVG text. */
export async function fetchPicture(table: string): Promise<string> {
  return (await ask(pictureAddress(table))).text();
}

export async function createTable(request: TableRequest): Promise<TableCreated> {
  return post('api/tables', request);
}

export async function createNextTable(table: string, request: NextRequest): Promise<TableCreated> {
  return post(`api/tables/${encodeURIComponent(table)}/next`, request);
}

export async function createCopy(table: string, request: CopyRequest): Promise<TableCreated> {
  return post(`api/tables/${encodeURIComponent(table)}/copy`, request);
}

export function recordAddress(table: string, withChat = false): string {
  return `api/tables/${encodeURIComponent(table)}/record${withChat ? '?talk=1' : ''}`;
}

export async function fetchRecord(table: string): Promise<string> {
  return (await ask(recordAddress(table))).text();
}

/** The review of a finished game, or its progress. */
export async function fetchReview(table: string): Promise<{ review: AnyReview } | { progress: ReviewProgress }> {
  const response = await ask(`api/tables/${encodeURIComponent(table)}/review`);
  if (response.status === ACCEPTED) return { progress: (await response.json()) as ReviewProgress };
  return { review: (await response.json()) as AnyReview };
}

/** Evaluates another act at the position after `seq` acts of a finished game. */
export async function fetchRetried(table: string, seq: number, act: string): Promise<Retried> {
  const address = `api/tables/${encodeURIComponent(table)}/review/${seq}?act=${encodeURIComponent(act)}`;
  return (await ask(address)).json() as Promise<Retried>;
}

/** Creates a play-test whose visitors take the seats of people. */
export async function createPlaytest(request: TableRequest): Promise<PlaytestCreated> {
  return post('api/playtests', request);
}

export async function fetchPlaytest(playtest: string): Promise<Playtest> {
  return (await ask(`api/playtests/${encodeURIComponent(playtest)}`)).json() as Promise<Playtest>;
}

/** Creates a table for another visitor. */
export async function visitPlaytest(playtest: string): Promise<PlaytestVisit> {
  const address = `api/playtests/${encodeURIComponent(playtest)}/tables`;
  return (await ask(address, { method: 'POST' })).json() as Promise<PlaytestVisit>;
}

/** The report to the designer of a play-test; `records`: with the record of each table. */
export async function fetchPlaytestReport(playtest: string, code: string, records = false): Promise<PlaytestReport> {
  const address = `api/playtests/${encodeURIComponent(playtest)}/report${records ? '?records=1' : ''}`;
  return (await ask(address, { headers: { 'Icetable-Code': code } })).json() as Promise<PlaytestReport>;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Posts a request; most requests create a table. */
export async function post<T = TableCreated>(
  address: string,
  request:
    | TableRequest
    | NextRequest
    | CopyRequest
    | RecordRequest
    | SeekRequest
    | JoinRequest
    | HoldRequest
    | TransferRequest
    | NetworkRequest,
): Promise<T> {
  const response = await ask(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return response.json() as Promise<T>;
}

/** Fetches what the service worker caches. */
export async function read(address: string): Promise<Response> {
  try {
    return await ask(address);
  } catch (error) {
    throw reach.offline ? new Error('You’re offline, and this hasn’t been opened here before.') : error;
  }
}

/** Fetches what only the server knows. */
export async function ask(address: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch {
    reach.report(false);
    throw new Error(reach.trouble);
  }
  if (address.startsWith(NEVER_CACHED)) reach.report(true);
  if (!response.ok) throw new Error(await errorIn(response));
  return response;
}

async function errorIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    return body.error;
  }
  if (response.status === 404) return 'Not found.';
  return `Server error (${response.status}).`;
}
