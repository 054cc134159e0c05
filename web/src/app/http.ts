/** The server's HTTP interface: games, rules, lessons, tables, records. Each error is one clear sentence. */

import type {
  Addresses,
  AnyReview,
  CopyRequest,
  GameInfo,
  HoldRequest,
  JoinRequest,
  Learned,
  Lesson,
  NextRequest,
  ParcelRequest,
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
} from '../wire';
import { reach } from './offline.svelte';

/** What the service worker does not keep: only the server itself can have answered. */
const NEVER_KEPT = 'api/tables';

/** The status of an answer that is still worked out. */
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

/** A table where a step of a lesson begins. */
export async function createExercise(game: string, step: string): Promise<TableCreated> {
  return (await ask(exerciseAddress(game, step), { method: 'POST' })).json() as Promise<TableCreated>;
}

/** Whether what a step asks for has been done at its table. */
export async function fetchLearned(game: string, step: string, table: string): Promise<boolean> {
  const response = await ask(`${exerciseAddress(game, step)}/${encodeURIComponent(table)}`);
  return ((await response.json()) as Learned).done;
}

function exerciseAddress(game: string, step: string): string {
  return `api/lessons/${encodeURIComponent(game)}/${encodeURIComponent(step)}`;
}

/** Where others find the pages, as far as this machine may know. */
export async function fetchAddresses(): Promise<Addresses> {
  return (await ask('api/addresses')).json() as Promise<Addresses>;
}

/** Has the server listen in its local network too. */
export async function openToNetwork(): Promise<Addresses> {
  return (await ask('api/addresses', { method: 'POST' })).json() as Promise<Addresses>;
}

/** Whether the server answers now. */
export async function answers(): Promise<boolean> {
  return ask('api/tables').then(
    () => true,
    () => false,
  );
}

/** Of these tables those that the server has. */
export async function fetchSummaries(tables: string[]): Promise<Summary[]> {
  return (await ask(`api/summaries?tables=${tables.map(encodeURIComponent).join(',')}`)).json() as Promise<Summary[]>;
}

/** Has the server know that this browser holds seats of a table; the table in short. */
export async function holdSeats(table: string, codes: string[]): Promise<Summary> {
  return post(`api/tables/${encodeURIComponent(table)}/hold`, { codes });
}

/** What a watcher sees of a table; with `light` also on a dark screen in light colours. */
export function pictureAddress(table: string, light = false): string {
  return `api/tables/${encodeURIComponent(table)}/picture.svg${light ? '#light' : ''}`;
}

/** The picture as the text of an SVG file. */
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

/** The review of a game that is over, or how far it is. */
export async function fetchReview(table: string): Promise<{ review: AnyReview } | { progress: ReviewProgress }> {
  const response = await ask(`api/tables/${encodeURIComponent(table)}/review`);
  if (response.status === ACCEPTED) return { progress: (await response.json()) as ReviewProgress };
  return { review: (await response.json()) as AnyReview };
}

/** What another act would have been at the position after `seq` acts of a game that is over. */
export async function fetchRetried(table: string, seq: number, act: string): Promise<Retried> {
  const address = `api/tables/${encodeURIComponent(table)}/review/${seq}?act=${encodeURIComponent(act)}`;
  return (await ask(address)).json() as Promise<Retried>;
}

/** Begins a play-test, whose visitors take the seats of people. */
export async function createPlaytest(request: TableRequest): Promise<PlaytestCreated> {
  return post('api/playtests', request);
}

export async function fetchPlaytest(playtest: string): Promise<Playtest> {
  return (await ask(`api/playtests/${encodeURIComponent(playtest)}`)).json() as Promise<Playtest>;
}

/** A table for one more visitor. */
export async function visitPlaytest(playtest: string): Promise<PlaytestVisit> {
  const address = `api/playtests/${encodeURIComponent(playtest)}/tables`;
  return (await ask(address, { method: 'POST' })).json() as Promise<PlaytestVisit>;
}

/** What the designer of a play-test learns, with the record of each table where they are asked for. */
export async function fetchPlaytestReport(playtest: string, code: string, records = false): Promise<PlaytestReport> {
  const address = `api/playtests/${encodeURIComponent(playtest)}/report${records ? '?records=1' : ''}`;
  return (await ask(address, { headers: { 'Icetable-Code': code } })).json() as Promise<PlaytestReport>;
}

/** What went wrong, as the page says it. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Sends a request with a body: most of them open a table. */
export async function post<T = TableCreated>(
  address: string,
  request:
    TableRequest | NextRequest | CopyRequest | RecordRequest | SeekRequest | JoinRequest | HoldRequest | ParcelRequest,
): Promise<T> {
  const response = await ask(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return response.json() as Promise<T>;
}

/** Asks for what the service worker keeps once it was read. */
export async function read(address: string): Promise<Response> {
  try {
    return await ask(address);
  } catch (error) {
    throw reach.offline ? new Error('You’re offline, and this hasn’t been opened here before.') : error;
  }
}

/** Asks for what only the server knows. */
export async function ask(address: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, init);
  } catch {
    reach.tell(false);
    throw new Error(reach.trouble);
  }
  if (address.startsWith(NEVER_KEPT)) reach.tell(true);
  if (!response.ok) throw new Error(await errorIn(response));
  return response;
}

async function errorIn(response: Response): Promise<string> {
  const said: unknown = await response.json().catch(() => null);
  if (typeof said === 'object' && said !== null && 'error' in said && typeof said.error === 'string') {
    return said.error;
  }
  if (response.status === 404) return 'Not found.';
  return `Server error (${response.status}).`;
}
