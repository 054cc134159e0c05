import { describe, expect, it } from 'vitest';
import type { Ending, Seat, View } from '../wire';
import { lowWords, resultWords, scoreWords, standingWords, turnWords, who } from './words';

const ANN: Seat = { seat: 0, kind: 'person', name: 'Ann', level: null, colour: 'red', mine: true, gone: false };
const BEN: Seat = { seat: 1, kind: 'person', name: 'Ben', level: null, colour: 'blue', mine: false, gone: false };
const CEM: Seat = { seat: 2, kind: 'person', name: 'Cem', level: null, colour: 'green', mine: false, gone: false };

function view(some: Partial<View>): View {
  return { seat: null, to_act: [], over: false, ended_by: null, winners: [], scores: [0, 0, 0], ...some };
}

function ending(reason: Ending['reason']): Ending {
  return { secret: '', standing: { games: 1, scores: [], leaders: [], ratings: null }, reason, link: '' };
}

describe('who', () => {
  it('is you only where one seat is yours', () => {
    expect(who([ANN, BEN], 0)).toBe('You');
    expect(who([ANN, { ...BEN, mine: true }], 0)).toBe('Ann');
    expect(who([ANN, BEN], 1)).toBe('Ben');
    expect(who([ANN, { ...BEN, kind: 'open', name: '' }], 1)).toBe('Seat 2');
  });

  it('is chance at the seat of chance', () => {
    expect(who([ANN, BEN], -1)).toBe('Chance');
  });
});

it.each([
  [[0], 'Your turn'],
  [[1], 'Ben’s turn'],
  [[1, 2], 'Ben and Cem to move'],
  [[0, 1, 2], 'Everyone plays at once'],
  [[-1, 0, 1, 2], 'Everyone plays at once'],
  [[-1], 'Chance’s turn'],
  [[], ''],
])('the turn of %j reads "%s"', (to_act, words) => {
  expect(turnWords([ANN, BEN, CEM], view({ to_act }))).toBe(words);
});

it.each([
  [[0], 'You win'],
  [[1], 'Ben wins'],
  [[0, 1], 'You and Ben win together'],
  [[0, 1, 2], 'A draw'],
  [[], 'The game is over'],
])('the winners %j read "%s"', (winners, words) => {
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners }), null)).toBe(words);
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners }), ending(null))).toBe(words);
  expect(resultWords([ANN, BEN, CEM], view({ over: false, winners }), null)).toBe('');
});

it.each([
  ['draw', [0, 1, 2], 'Draw by agreement'],
  ['time', [0, 2], 'Ben ran out of time: you and Cem win together'],
  ['time', [1, 2], 'You ran out of time: Ben and Cem win together'],
  ['time', [0], 'Ben and Cem ran out of time: you win'],
] as const)('broken off by %s with the winners %j reads "%s"', (reason, winners, words) => {
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners: [...winners] }), ending(reason))).toBe(words);
});

it('lets a lone player neither win nor draw', () => {
  expect(resultWords([ANN], view({ over: true, winners: [0] }), null)).toBe('The game is over');
  expect(resultWords([ANN], view({ over: true, winners: [] }), ending('time'))).toBe('You ran out of time');
});

it.each([
  [0, 9_400, 'You have 10 seconds left'],
  [1, 1_000, 'Ben has 1 second left'],
])('what seat %d has left of %d ms reads "%s"', (seat, left, words) => {
  expect(lowWords([ANN, BEN], seat, left)).toBe(words);
});

it('names scores only where they are more than who has won', () => {
  expect(scoreWords([ANN, BEN], view({ scores: [1, 0] }))).toBe('');
  expect(scoreWords([ANN, BEN], view({ scores: [12, -3] }))).toBe('You 12, Ben -3');
});

describe('the standing of a series', () => {
  it('is told after the second game', () => {
    expect(standingWords([ANN, BEN], { games: 1, scores: [12, 9], leaders: [0], ratings: null })).toBe('');
    expect(standingWords([ANN, BEN], { games: 3, scores: [31, 24], leaders: [0], ratings: null })).toBe(
      'After 3 games: You 31, Ben 24',
    );
  });

  it('names who leads where the scores alone do not tell', () => {
    const rated = { games: 2, scores: [20, 10], leaders: [0], ratings: [55, 11.25] };
    expect(standingWords([ANN, BEN], rated)).toBe('After 2 games: You 20 (rated 55), Ben 10 (rated 11.3)');
    const level = { games: 2, scores: [20, 20], leaders: [1], ratings: null };
    expect(standingWords([ANN, BEN], level)).toBe('After 2 games: You 20, Ben 20 – Ben leads');
    expect(standingWords([ANN, BEN], { ...level, leaders: [0] })).toBe('After 2 games: You 20, Ben 20 – You lead');
    expect(standingWords([ANN, BEN], { ...level, leaders: [0, 1] })).toBe('After 2 games: You 20, Ben 20');
  });
});
