import type { TableCreated, TableInfo, TableRequest } from '../wire';
import { createNextTable, createTable } from './http';
import { router } from './route.svelte';
import { keepTable, keptTable } from './tables';

/** Opens a table on the server, keeps the codes of its seats and goes there. Throws what the server says. */
export async function openTable(request: TableRequest, title: string): Promise<void> {
  const names = request.seats.map((seat) => seat.name);
  goTo(await createTable(request), request.game, title, names);
}

/** The next game of the series at the same set-up; with `rotate` the next seat begins. Throws likewise. */
export async function playAgain(before: TableInfo, rotate: boolean): Promise<void> {
  const codes = keptTable(before.id)?.codes ?? [];
  const names = before.seats.map((seat) => seat.name);
  goTo(await createNextTable(before.id, { codes, rotate }), before.game, before.title, names);
}

function goTo({ table, codes }: TableCreated, game: string, title: string, names: string[]): void {
  keepTable({ id: table, game, title, names, when: Date.now(), codes: Object.values(codes) });
  router.go(`/table/${table}`);
}
