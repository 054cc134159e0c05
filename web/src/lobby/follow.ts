/** The list of public tables, or a tournament, as it is now: a connection that comes back by itself. */

import { SOCKET_URL } from '../app/base';
import type { Listed, Listing, ServerMessage, Watch } from '../wire';

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
const LOST = 'Can’t reach the server. Reconnecting…';

/** The list after news of it. */
export function withNews(tables: readonly Listing[], { tables: told, gone, whole }: Listed): Listing[] {
  const known = new Map((whole ? [] : tables).map((table) => [table.id, table]));
  for (const id of gone) known.delete(id);
  for (const table of told) known.set(table.id, table);
  return [...known.values()].sort((one, other) => other.created - one.created);
}

/** Tells of the list and its changes until the function that it returns is called. */
export function follow(show: (tables: Listing[]) => void): () => void {
  let tables: Listing[] = [];
  return watch({ type: 'watch' }, (message) => {
    if (message.type === 'listed') show((tables = withNews(tables, message)));
  });
}

/** Hears what the server tells of what is watched, until the function that it returns is called. */
export function watch(wanted: Watch, hear: (message: ServerMessage) => void): () => void {
  let socket: WebSocket | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function open(): void {
    const opened = (socket = new WebSocket(SOCKET_URL));
    opened.onopen = () => opened.send(JSON.stringify(wanted));
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      failures = 0;
      hear(JSON.parse(data) as ServerMessage);
    };
    opened.onclose = () => {
      if (socket !== opened) return;
      if (failures > 0) hear({ type: 'error', message: LOST });
      // Spread out, so that not all come back to a restarted server at the same time.
      const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.5 + Math.random() / 2);
      failures += 1;
      waiting = setTimeout(open, wait);
    };
  }

  open();
  return () => {
    clearTimeout(waiting);
    const last = socket;
    socket = null;
    last?.close();
  };
}
