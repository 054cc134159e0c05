/** Joining other players' tables. Everything here throws the server's errors. */

import type { JoinRequest, Seated, SeekRequest, TableRequest } from '../wire';
import { post } from './http';
import { goTo } from './open-table';
import { newCode, storedTable } from './tables';

/** What is stored about a table: its game and its players. */
interface About {
  game: string;
  title: string;
  names: string[];
}

/** Takes the first free seat at a public table, and opens it. */
export async function joinTable(table: string, about: About, name: string): Promise<void> {
  const code = newCode();
  const seated = await post<Seated>(`api/tables/${encodeURIComponent(table)}/join`, {
    name,
    code,
  } satisfies JoinRequest);
  arrive(seated, about, code);
}

/** Joins somebody who is waiting for the same game, or opens a new table that waits. */
export async function seekTable(table: TableRequest, title: string): Promise<void> {
  const code = newCode();
  const seated = await post<Seated>('api/seeks', { table, code } satisfies SeekRequest);
  arrive(seated, { game: table.game, title, names: [] }, code);
}

/** A browser that already has seats at the table keeps their codes. */
function arrive({ table, host, invites }: Seated, about: About, code: string): void {
  const codes = [...(storedTable(table)?.codes ?? []), code, ...(host === null ? [] : [host])];
  goTo(table, about, codes, storedTable(table)?.invites ?? invites);
}
