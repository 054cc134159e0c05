/**
 * Requests that the server has not answered yet, in the order in which they were sent.
 *
 * A request has an id and is settled only by its answer: after a loss of connection it is sent again under the same id.
 * Boards recompute the expected effects of pending acts from the newest position, so a wrong guess leaves no trace.
 */

import type { Sent } from '../../board/game-view';

export interface PendingRequest {
  id: string;
  /** The act at the board; null: the request is about the table. */
  act: PendingAct | null;
}

export interface PendingAct extends Omit<Sent, 'id'> {
  /** The id of the act that this one depends on. */
  after?: string | undefined;
}

/** The remaining requests after one took effect. */
export function acknowledged(all: readonly PendingRequest[], id: string): readonly PendingRequest[] {
  return all.some((request) => request.id === id) ? all.filter((request) => request.id !== id) : all;
}

/** The remaining requests after one was refused: without those that the server will refuse because of it. */
export function refused(all: readonly PendingRequest[], id: string): readonly PendingRequest[] {
  const dropped = new Set([id]);
  for (const { id, act } of all) if (act?.after !== undefined && dropped.has(act.after)) dropped.add(id);
  return all.filter((request) => !dropped.has(request.id));
}

export function actsOf(all: readonly PendingRequest[]): Sent[] {
  return all.flatMap(({ id, act }) => (act ? [{ id, seat: act.seat, text: act.text }] : []));
}
