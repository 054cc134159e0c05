/** Test fixtures: seats, a position, lines of a log, a browser's storage. */

import { vi } from 'vitest';
import type { Effect, Line, Seat, Summary, View } from '../wire';

/** Seats of people, the first one at this browser. */
export function people<Names extends string[]>(...names: Names): { [_ in keyof Names]: Seat } {
  const seats = names.map((name, seat) => ({
    seat,
    kind: 'person',
    name,
    level: null,
    colour: ['red', 'blue', 'green'][seat]!,
    mine: seat === 0,
    gone: false,
  }));
  return seats as { [_ in keyof Names]: Seat };
}

export const VIEW: View = { seat: 0, to_act: [0], over: false, ended_by: null, winners: [], scores: [0, 0] };

export function effect(kind: string, value: Effect['value'], ...spaces: string[]): Effect {
  return { kind, spaces, value };
}

export function line<E extends Effect>(text: string, effects: E[] = [], seat = 0): Line & { effects: E[] } {
  return { seq: 7, seat, text, effects };
}

/** A game under way. */
export const SUMMARY: Summary = {
  id: 'k7',
  game: 'g',
  title: 'G',
  turns: true,
  seats: people('Ann', 'Ben'),
  started: true,
  hidden: false,
  paused: false,
  length: 2,
  when: 50,
  to_act: [0],
  over: false,
  winners: [],
  scores: [0, 0],
  ended_by: null,
  reason: null,
  explore: false,
  cooperative: false,
  due: null,
  pair: false,
  match: null,
  tournament: null,
  standing: null,
  next: null,
};

/** Replaces the browser's storage; returns its content. */
export function storage(): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  return stored;
}
