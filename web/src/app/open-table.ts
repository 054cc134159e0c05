import type { TableCreated, TableInfo, TableRequest } from '../wire';
import { createCopy, createNextTable, createTable } from './http';
import { router } from './route.svelte';
import { storedTable, storeTable, type StoredTable } from './tables';

type About = Pick<StoredTable, 'game' | 'title' | 'names' | 'muted' | 'from'>;

/** Creates a table, stores the codes of its seats and opens its page. Throws the server's errors. */
export async function openTable(request: TableRequest, title: string): Promise<void> {
  const names = request.seats.map((seat) => seat.name).filter((name) => name !== '');
  const created = await createTable(request);
  goTo(created.table, { game: request.game, title, names }, codesOf(created), created.invites);
}

/** Starts a new series with the same setup, or with bots of another level. Throws likewise. */
export async function startSeries(
  { game, title, options, seats, clock, pair, match }: TableInfo,
  level?: string,
): Promise<void> {
  await openTable(
    {
      game,
      options: { ...options, players: seats.length },
      seats: seats.map(({ kind, name, level: own }) => ({ kind, name, level: kind === 'bot' ? (level ?? own) : own })),
      ...(clock ? { clock } : {}),
      ...(pair ? { pair } : {}),
      ...(match ? { match } : {}),
    },
    title,
  );
}

/** Starts the next game of the series; `rotate`: the next seat begins. Throws likewise. */
export async function playAgain(before: TableInfo, rotate: boolean): Promise<void> {
  const codes = storedTable(before.id)?.codes ?? [];
  const created = await createNextTable(before.id, { codes, rotate });
  const fresh = codesOf(created);
  goTo(created.table, about(before), fresh.length > 0 ? fresh : codes);
}

/** Opens a private table at a position of this one. Throws likewise. */
export async function exploreFrom(original: TableInfo, seq: number): Promise<void> {
  const created = await createCopy(original.id, { codes: storedTable(original.id)?.codes ?? [], seq });
  goTo(created.table, { ...about(original), from: { table: original.id, seq } }, codesOf(created));
}

/** Opens the next game of the series, where the codes of this table are valid; another player has created it. */
export function goToNext(before: TableInfo, table: string): void {
  goTo(table, about(before), storedTable(before.id)?.codes ?? []);
}

function about({ id, game, title, seats }: TableInfo): About {
  return { game, title, names: seats.map((seat) => seat.name), muted: storedTable(id)?.muted ?? [] };
}

function codesOf({ codes, host }: TableCreated): string[] {
  return [...Object.values(codes), ...(host === null ? [] : [host])];
}

/** Stores a table with the codes of this browser, and opens its page. */
export function goTo(id: string, table: About, codes: string[], invites: Record<string, string> = {}): void {
  storeTable({ id, ...table, when: Date.now(), codes, invites });
  router.go(`table/${id}`);
}
