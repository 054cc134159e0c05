import { expect, it } from 'vitest';
import type { KeptTable } from '../app/tables';
import type { Seat, Summary } from '../wire';
import { rows, sentence, unsettled } from './your-tables';

function kept(id: string, when: number): KeptTable {
  return { id, game: 'game', title: 'Game', names: ['Ann', 'Ben'], when, codes: ['c'] };
}

function seat(number: number, name: string, mine: boolean): Seat {
  return { seat: number, kind: 'person', name, level: null, colour: 'red', mine, gone: false };
}

const SUMMARY: Summary = {
  id: 'a',
  game: 'game',
  title: 'Game',
  turns: true,
  seats: [seat(0, 'Ann', true), seat(1, 'Ben', false)],
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
};

function told(...summaries: Partial<Summary>[]): Map<string, Summary> {
  return new Map(summaries.map((one) => [one.id!, { ...SUMMARY, ...one }]));
}

it('your turn comes first, then what is in progress, then what is over', () => {
  const tables = ['over', 'theirs', 'mine', 'older', 'unknown'].map((id, i) => kept(id, i));
  const summaries = told(
    { id: 'over', over: true, winners: [0], scores: [51, 5], to_act: [], when: 99 },
    { id: 'theirs', to_act: [1], when: 90 },
    { id: 'mine', when: 10 },
    { id: 'older', when: 5 },
  );
  const all = rows(tables, summaries);
  expect(all.map(({ id, state, action }) => [id, state, action])).toEqual([
    ['mine', 'Your turn', 'Continue'],
    ['older', 'Your turn', 'Continue'],
    ['theirs', 'Ben’s turn', 'Continue'],
    ['unknown', '', 'Continue'],
    ['over', 'You win 51–5', 'Look back'],
  ]);
  expect(all.map(({ names }) => names)).toEqual(['Ben', 'Ben', 'Ben', 'Ann and Ben', 'Ben']);
  expect(sentence(all[0]!)).toMatch(/^Game with Ben – Your turn\. /);
  expect(unsettled(tables, summaries, 3)).toEqual(['theirs', 'mine', 'older']);
});

it.each([
  [
    { started: false, to_act: [], seats: [seat(0, 'Ann', true), { ...seat(1, '', false), kind: 'open' }] },
    'Waiting for 1 player',
  ],
  [{ paused: true, to_act: [] }, 'Paused'],
  [{ hidden: true, to_act: [] }, 'In progress'],
  [{ turns: false, to_act: [0, 1] }, 'In progress'],
  [{ over: true, winners: [1], reason: 'resign', to_act: [] }, 'You resigned: Ben wins'],
] satisfies [Partial<Summary>, string][])('%j is told as "%s"', (change, words) => {
  const [only] = rows([kept('a', 1)], told({ id: 'a', ...change }));
  expect(only!.state).toBe(words);
  expect(only!.isTurn).toBe(false);
});

it('a spectator sees all names and can watch', () => {
  const seats = SUMMARY.seats.map((one) => ({ ...one, mine: false }));
  const [only] = rows([{ ...kept('a', 1), codes: [] }], told({ id: 'a', seats }));
  expect([only!.names, only!.state, only!.action]).toEqual(['Ann and Ben', 'Ann’s turn', 'Watch']);
});
