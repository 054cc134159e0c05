import type { TableCreated, TableInfo, TableRequest } from '../wire';
import { createCopy, createNextTable, createTable } from './http';
import { router } from './route.svelte';
import { keepTable, keptTable, type KeptTable } from './tables';

type About = Pick<KeptTable, 'game' | 'title' | 'names' | 'muted' | 'from'>;

/** Opens a table on the server, keeps the codes of its seats and goes there. Throws what the server says. */
export async function openTable(request: TableRequest, title: string): Promise<void> {
  const names = request.seats.map((seat) => seat.name).filter((name) => name !== '');
  const created = await createTable(request);
  goTo(created.table, { game: request.game, title, names }, codesOf(created), created.invites);
}

/** A game with the same set-up, or with bots of that level, that starts a series of its own. Throws likewise. */
export async function playAnew(
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

/** The next game of the series at the same set-up; with `rotate` the next seat begins. Throws likewise. */
export async function playAgain(before: TableInfo, rotate: boolean): Promise<void> {
  const codes = keptTable(before.id)?.codes ?? [];
  const created = await createNextTable(before.id, { codes, rotate });
  const fresh = codesOf(created);
  goTo(created.table, about(before), fresh.length > 0 ? fresh : codes);
}

/** A private table that begins with a position of this one. Throws likewise. */
export async function exploreFrom(original: TableInfo, seq: number): Promise<void> {
  const created = await createCopy(original.id, { codes: keptTable(original.id)?.codes ?? [], seq });
  goTo(created.table, { ...about(original), from: { table: original.id, seq } }, codesOf(created));
}

/** Goes to the next game of the series, which another player has opened: the codes of this table are valid there. */
export function goToNext(before: TableInfo, table: string): void {
  goTo(table, about(before), keptTable(before.id)?.codes ?? []);
}

function about({ id, game, title, seats }: TableInfo): About {
  return { game, title, names: seats.map((seat) => seat.name), muted: keptTable(id)?.muted ?? [] };
}

function codesOf({ codes, host }: TableCreated): string[] {
  return [...Object.values(codes), ...(host === null ? [] : [host])];
}

/** Keeps a table with the codes of this browser, and goes there. */
export function goTo(id: string, table: About, codes: string[], invites: Record<string, string> = {}): void {
  keepTable({ id, ...table, when: Date.now(), codes, invites });
  router.go(`table/${id}`);
}
