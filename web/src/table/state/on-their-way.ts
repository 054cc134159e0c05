/**
 * Requests that the server has not answered yet, in the order in which they were sent.
 *
 * A request is known by its id and settled by its answer alone: after a loss it is sent again under the same id. What a
 * board expects of the acts among them it works out anew from the newest position, so that a wrong guess leaves nothing.
 */

import type { Sent } from '../../board/game-view';

export interface Asked {
  id: string;
  /** What is to be done at the board; null: something about the table. */
  act: Deed | null;
}

export interface Deed extends Omit<Sent, 'id'> {
  /** The request without which this act makes no sense. */
  after?: string | undefined;
}

/** What is left after a request took effect. */
export function acknowledged(all: readonly Asked[], id: string): readonly Asked[] {
  return all.some((one) => one.id === id) ? all.filter((one) => one.id !== id) : all;
}

/** What is left after a request was refused: without the acts that the server will refuse because of that. */
export function refused(all: readonly Asked[], id: string): readonly Asked[] {
  const gone = new Set([id]);
  for (const { id, act } of all) if (act?.after !== undefined && gone.has(act.after)) gone.add(id);
  return all.filter((one) => !gone.has(one.id));
}

export function actsOf(all: readonly Asked[]): Sent[] {
  return all.flatMap(({ id, act }) => (act ? [{ id, seat: act.seat, text: act.text }] : []));
}
