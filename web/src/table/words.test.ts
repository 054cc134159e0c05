import { describe, expect, it } from 'vitest';
import type { Seat, View } from '../wire';
import { resultWords, scoreWords, standingWords, turnWords, who } from './words';

const ANN: Seat = { seat: 0, kind: 'person', name: 'Ann', level: null, colour: 'red', mine: true, gone: false };
const BEN: Seat = { seat: 1, kind: 'person', name: 'Ben', level: null, colour: 'blue', mine: false, gone: false };
const CEM: Seat = { seat: 2, kind: 'person', name: 'Cem', level: null, colour: 'green', mine: false, gone: false };

function view(some: Partial<View>): View {
  return { seat: null, to_act: [], over: false, ended_by: null, winners: [], scores: [0, 0, 0], ...some };
}

describe('who', () => {
  it('is you only where one seat is yours', () => {
    expect(who([ANN, BEN], 0)).toBe('You');
    expect(who([ANN, { ...BEN, mine: true }], 0)).toBe('Ann');
    expect(who([ANN, BEN], 1)).toBe('Ben');
  });

  it('is chance at nature’s acts', () => {
    expect(who([ANN, BEN], -1)).toBe('Chance');
  });
});

it.each([
  [[0], 'Your turn'],
  [[1], 'Ben’s turn'],
  [[1, 2], 'Ben and Cem to act'],
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
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners }))).toBe(words);
  expect(resultWords([ANN, BEN, CEM], view({ over: false, winners }))).toBe('');
});

it('lets a lone player neither win nor draw', () => {
  expect(resultWords([ANN], view({ over: true, winners: [0] }))).toBe('The game is over');
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
