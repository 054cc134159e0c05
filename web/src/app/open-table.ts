import type { TableRequest } from '../wire';
import { createTable } from './http';
import { router } from './route.svelte';
import { keepTable } from './tables';

/** Opens a table on the server, keeps the codes of its seats and goes there. Throws what the server says. */
export async function openTable(request: TableRequest, title: string): Promise<void> {
  const { table, codes } = await createTable(request);
  keepTable({
    id: table,
    game: request.game,
    title,
    names: request.seats.map((seat) => seat.name),
    when: Date.now(),
    codes: Object.values(codes),
  });
  router.go(`/table/${table}`);
}
