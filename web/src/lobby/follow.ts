/** Live updates of the public tables or of a tournament, by a connection that reconnects by itself. */

import { SOCKET_URL } from '../app/base';
import type { Listed, Listing, ServerMessage, Watch } from '../wire';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
const LOST_ERROR = 'Can’t reach the server. Reconnecting…';

/** Applies an update to the list. */
export function updated(tables: readonly Listing[], { tables: changed, gone, whole }: Listed): Listing[] {
  const known = new Map((whole ? [] : tables).map((table) => [table.id, table]));
  for (const id of gone) known.delete(id);
  for (const table of changed) known.set(table.id, table);
  return [...known.values()].sort((a, b) => b.created - a.created);
}

/** Calls `show` with the list of public tables after each update. Returns a function that stops it. */
export function follow(show: (tables: Listing[]) => void): () => void {
  let tables: Listing[] = [];
  return watch({ type: 'watch' }, (message) => {
    if (message.type === 'listed') show((tables = updated(tables, message)));
  });
}

/** Subscribes to the server’s messages about the list or a tournament. Returns a function that stops it. */
export function watch(request: Watch, onmessage: (message: ServerMessage) => void): () => void {
  let socket: WebSocket | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function open(): void {
    const opened = (socket = new WebSocket(SOCKET_URL));
    opened.onopen = () => opened.send(JSON.stringify(request));
    opened.onmessage = ({ data }: MessageEvent<string>) => {
      failures = 0;
      onmessage(JSON.parse(data) as ServerMessage);
    };
    opened.onclose = () => {
      if (socket !== opened) return;
      if (failures > 0) onmessage({ type: 'error', message: LOST_ERROR });
      // Random, so that not all clients reconnect to a restarted server at the same time.
      const delay = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + Math.random() / 2);
      failures += 1;
      retry = setTimeout(open, delay);
    };
  }

  open();
  return () => {
    clearTimeout(retry);
    const last = socket;
    socket = null;
    last?.close();
  };
}
