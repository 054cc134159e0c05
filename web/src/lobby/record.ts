import { post } from '../app/http';
import { router } from '../app/route.svelte';

/** Goes to a table that shows a record: the original table if the game was played on this server. */
export async function openRecord(text: string): Promise<void> {
  const { table } = await post('api/records', { record: text });
  router.go(`table/${table}`);
}
