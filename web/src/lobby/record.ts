/** Opening the record of a game. */

import { post } from '../app/http';
import { router } from '../app/route.svelte';

/** Goes to a table that shows a record; the one where it was played, if it is the server’s own. Throws what it says. */
export async function openRecord(text: string): Promise<void> {
  const { table } = await post('api/records', { record: text });
  router.go(`table/${table}`);
}
