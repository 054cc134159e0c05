/** Ways to a table of somebody else. Each throws what the server says. */

import type { JoinRequest, Seated, SeekRequest, TableRequest } from '../wire';
import { post } from './http';
import { goTo } from './open-table';
import { keptTable, newCode } from './tables';

/** What is kept of a table: its game, and who sits there. */
interface About {
  game: string;
  title: string;
  names: string[];
}

/** Takes the first seat that is free at a public table, and goes there. */
export async function joinTable(table: string, about: About, name: string): Promise<void> {
  const code = newCode();
  const seated = await post<Seated>(`api/tables/${encodeURIComponent(table)}/join`, {
    name,
    code,
  } satisfies JoinRequest);
  arrive(seated, about, code);
}

/** Goes to a table where somebody waits who asked for the same, or to a new one that waits. */
export async function seekTable(table: TableRequest, title: string): Promise<void> {
  const code = newCode();
  const seated = await post<Seated>('api/seeks', { table, code } satisfies SeekRequest);
  arrive(seated, { game: table.game, title, names: [] }, code);
}

/** A browser that had a seat there already keeps its code. */
function arrive({ table, host, invites }: Seated, about: About, code: string): void {
  const codes = [...(keptTable(table)?.codes ?? []), code, ...(host === null ? [] : [host])];
  goTo(table, about, codes, keptTable(table)?.invites ?? invites);
}
