import { describe, expect, it } from 'vitest';
import { people, VIEW } from '../../app/fixtures';
import type { Ending, Frame, RoundNews, View } from '../../wire';
import { TABLE } from './fixtures';
import { INITIAL_STATE, type TableState } from './table-state';
import {
  droppedWords,
  idleWords,
  lowWords,
  outcome,
  proposalWords,
  resultWords,
  roundHint,
  roundWords,
  scoreWords,
  standingWords,
  turnWords,
  waitingWords,
  who,
} from './words';

const [ANN, BEN, CEM] = people('Ann', 'Ben', 'Cem');

function view(some: Partial<View>): View {
  return { ...VIEW, seat: null, to_act: [], scores: [0, 0, 0], ...some };
}

function ending(reason: Ending['reason']): Ending {
  return {
    secret: '',
    standing: { games: 1, scores: [], leaders: [], ratings: null },
    reason,
    link: '',
    reviewable: true,
  };
}

describe('who', () => {
  it('is you only where one seat is yours', () => {
    expect(who([ANN, BEN], 0)).toBe('You');
    expect(who([ANN, { ...BEN, mine: true }], 0)).toBe('Ann');
    expect(who([ANN, BEN], 1)).toBe('Ben');
    expect(who([ANN, { ...BEN, kind: 'open', name: '' }], 1)).toBe('Seat 2');
  });

  it('is Chance for the seat of chance', () => {
    expect(who([ANN, BEN], -1)).toBe('Chance');
  });
});

it.each([
  [[0], 'Your turn'],
  [[1], 'Ben’s turn'],
  [[1, 2], 'Ben and Cem to move'],
  [[0, 1, 2], 'Go – everyone plays at once'],
  [[-1, 0, 1, 2], 'Go – everyone plays at once'],
  [[-1], ''],
  [[], ''],
])('the turn of %j reads "%s"', (to_act, words) => {
  expect(turnWords([ANN, BEN, CEM], view({ to_act }))).toBe(words);
});

it.each([
  [[0, 1, 2], 'Get ready'],
  [[0], 'Get ready'],
  [[1], 'Waiting for Ben'],
  [[1, 2], 'Waiting for Ben and Cem'],
])('before all are ready %j reads "%s", and is nobody’s turn', (to_act, words) => {
  expect(turnWords([ANN, BEN, CEM], view({ to_act }), true)).toBe(words);
});

it.each([
  [[0], 'You win'],
  [[1], 'You lose: Ben wins'],
  [[0, 1], 'You and Ben win'],
  [[1, 2], 'You lose: Ben and Cem win'],
  [[0, 1, 2], 'A draw'],
  [[], 'Nobody wins'],
])('the winners %j read "%s"', (winners, words) => {
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners }), null)).toBe(words);
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners }), ending(null))).toBe(words);
  expect(resultWords([ANN, BEN, CEM], view({ over: false, winners }), null)).toBe('');
});

it.each([
  ['draw', [0, 1, 2], 'Draw by agreement'],
  ['time', [0, 2], 'Ben ran out of time: you and Cem win'],
  ['time', [1, 2], 'You ran out of time: Ben and Cem win'],
  ['time', [0], 'Ben and Cem ran out of time: you win'],
  ['record', [], 'The record ends here'],
  ['resign', [0, 2], 'Ben resigned: you and Cem win'],
  ['resign', [1, 2], 'You resigned: Ben and Cem win'],
] as const)('broken off by %s with the winners %j reads "%s"', (reason, winners, words) => {
  expect(resultWords([ANN, BEN, CEM], view({ over: true, winners: [...winners] }), ending(reason))).toBe(words);
});

it('shows a single player no draw, and points instead of a win', () => {
  expect(resultWords([ANN], view({ over: true, winners: [0], scores: [12] }), null)).toBe('Game over: 12 points');
  expect(resultWords([ANN], view({ over: true, winners: [0], scores: [1] }), null)).toBe('You win');
  expect(resultWords([ANN], view({ over: true, winners: [], scores: [12] }), null)).toBe('You lose');
  expect(resultWords([ANN], view({ over: true, winners: [] }), ending('resign'))).toBe('You gave up');
  expect(resultWords([ANN], view({ over: true, winners: [] }), ending('time'))).toBe('You ran out of time');
});

it.each([
  [0, 9_400, 'You have 10 seconds left'],
  [1, 1_000, 'Ben has 1 second left'],
])('what seat %d has left of %d ms reads "%s"', (seat, left, words) => {
  expect(lowWords([ANN, BEN], seat, left)).toBe(words);
});

it.each([
  [[1, 0], [0], 'You win', 'won'],
  [[5, 51], [1], 'You lose: Ben wins 51–5', 'lost'],
  [[12, 12], [0], 'You win the tie-break, 12–12', 'won'],
  [[12, 12], [1], 'You lose: Ben wins the tie-break, 12–12', 'lost'],
  [[51, 5], [0], 'You win 51–5', 'won'],
  [[7, 7], [0, 1], 'A draw 7–7', 'drawn'],
])('between two the scores %j with the winners %j read "%s"', (scores, winners, words, tone) => {
  const end = view({ over: true, scores, winners });
  expect(resultWords([ANN, BEN], end, null)).toBe(words);
  expect(outcome([ANN, BEN], end)).toBe(tone);
});

it.each([
  [[30, 11, 0], [0], 'You win 30–11–0'],
  [[4, 11, 20], [2], 'You lose: Cem wins 20–11–4'],
  [[20, 4, 20], [0, 2], 'You and Cem win 20–20–4'],
])('among three the scores %j with the winners %j read "%s"', (scores, winners, words) => {
  expect(resultWords([ANN, BEN, CEM], view({ over: true, scores, winners }), null)).toBe(words);
});

it('is neutral for spectators and for people at one screen: the winner comes first', () => {
  const end = view({ over: true, scores: [5, 51], winners: [1] });
  for (const mine of [true, false]) {
    const seats = [ANN, BEN].map((seat) => ({ ...seat, mine }));
    expect(resultWords(seats, end, null)).toBe('Ben wins 51–5');
    expect(outcome(seats, end)).toBe('watched');
  }
});

it('lists scores that are not in the result: the reader first, then the winners', () => {
  const computer = { ...BEN, name: 'Computer 2' };
  expect(scoreWords([ANN, computer], view({ scores: [12, -3] }))).toBe('');
  expect(scoreWords([ANN, computer, CEM], view({ scores: [1, 0, 0] }))).toBe('');
  const end = view({ scores: [12, 3, 22], winners: [2] });
  expect(scoreWords([{ ...computer, seat: 0 }, { ...ANN, seat: 1 }, CEM], end)).toBe('You: 3, Cem: 22, Computer 2: 12');
});

it.each([
  [
    'undo',
    4,
    'You asked to take back a move',
    'Ben declined to take back a move.',
    'You withdrew the request to take back a move.',
  ],
  ['draw', 0, 'You offered a draw', 'Ben declined the draw.', 'You withdrew the draw offer.'],
  ['pause', 0, 'You asked to pause the game', 'Ben declined to pause.', 'You withdrew the request to pause.'],
  ['resume', 0, 'You asked to resume the game', 'Ben declined to resume.', 'You withdrew the request to resume.'],
  [
    'fill',
    2,
    'You asked for a bot in place of Cem, who is away',
    'Ben declined a bot in place of Cem.',
    'You withdrew the request for a bot in place of Cem.',
  ],
] as const)('describes the proposal %s of %d and its fate', (what, target, asked, declined, withdrawn) => {
  const proposal = { number: 1, by: 0, what, target, waiting: [1] };
  const seats = [ANN, BEN, CEM];
  expect(proposalWords(seats, proposal)).toBe(asked);
  expect(droppedWords(seats, proposal, 1)).toBe(declined);
  expect(droppedWords(seats, proposal, 0)).toBe(withdrawn);
  expect(droppedWords(seats, proposal, undefined)).toMatch(/^The (request|draw offer).* has lapsed\.$/);
});

describe('the standing of a series', () => {
  it('is shown after the second game', () => {
    expect(standingWords([ANN, BEN], { games: 1, scores: [12, 9], leaders: [0], ratings: null })).toBe('');
    expect(standingWords([ANN, BEN], { games: 3, scores: [31, 24], leaders: [0], ratings: null })).toBe(
      'After 3 games – You: 31, Ben: 24',
    );
  });

  it('names the leader if the scores alone do not show it', () => {
    const rated = { games: 2, scores: [20, 10], leaders: [0], ratings: [55, 11.25] };
    expect(standingWords([ANN, BEN], rated)).toBe('After 2 games – You: 20 (rating 55), Ben: 10 (rating 11.3)');
    const level = { games: 2, scores: [20, 20], leaders: [1], ratings: null };
    expect(standingWords([ANN, BEN], level)).toBe('After 2 games – You: 20, Ben: 20 – Ben leads');
    expect(standingWords([ANN, BEN], { ...level, leaders: [0] })).toBe('After 2 games – You: 20, Ben: 20 – You lead');
    expect(standingWords([ANN, BEN], { ...level, leaders: [0, 1] })).toBe('After 2 games – You: 20, Ben: 20');
  });
});

describe('idleWords', () => {
  const table = { ...TABLE, seats: [ANN, BEN] };
  const live: Frame = { seq: 3, line: null, view: view({ to_act: [1] }), legal: {} };
  const state: TableState = { ...INITIAL_STATE, table, live };

  it('say why nothing can be done', () => {
    expect(idleWords(state)).toBe('Not yet: Ben’s turn.');
    expect(idleWords({ ...state, looking: 0 })).toContain('looking back');
    expect(idleWords({ ...state, table: { ...table, seats: [BEN] } })).toContain('watching');
    expect(idleWords({ ...state, table: { ...table, paused: true } })).toContain('paused');
  });

  it('are empty if it is obvious', () => {
    expect(idleWords({ ...state, pending: [{ id: 'x', act: null }] })).toBe('');
    expect(idleWords({ ...state, live: { ...live, view: view({ over: true }) } })).toBe('');
  });
});

it('all win or lose together if they play against the game', () => {
  const seats = [ANN, BEN];
  const together = (winners: number[]) => view({ over: true, winners, scores: [9, 9], cooperative: true });
  expect(resultWords(seats, together([0, 1]), null)).toBe('Everyone wins together');
  expect(outcome(seats, together([0, 1]))).toBe('won');
  expect(resultWords(seats, together([]), null)).toBe('Everyone loses together');
  expect(outcome(seats, together([]))).toBe('lost');
});

it('does not count somebody who may take a seat among those who are waited for', () => {
  const open = { ...BEN, kind: 'open', name: '' } as const;
  const others = [{ ...ANN, mine: false }, open, { ...open, seat: 2 }];
  expect(waitingWords([ANN, open])).toBe('Waiting for 1 player');
  expect(waitingWords(others.slice(0, 2), [1])).toBe('Waiting for you');
  expect(waitingWords(others, [1])).toBe('Waiting for you and 1 more player');
  expect(waitingWords([ANN, open], [1])).toBe('Waiting for 1 player');
  expect(waitingWords([ANN, BEN])).toBe('The game is about to start');
});

it('says what follows a finished game of a tournament', () => {
  const news: RoundNews = {
    type: 'round',
    name: 'Cup',
    number: 1,
    length: 3,
    unfinished: 2,
    table: null,
    against: [],
    bye: false,
    place: null,
  };
  const next = { ...news, number: 2, table: 't', against: ['Ann'] };
  expect(
    [news, { ...news, bye: true, unfinished: 1 }, next, { ...news, unfinished: 0, place: 2 }].map(roundWords),
  ).toEqual([
    'Round 1 of 3: 2 games are still being played',
    'You have a bye in round 1 of 3: 1 game is still being played',
    'Round 2 of 3 has begun: you play Ann',
    'The tournament is over: you came 2nd',
  ]);
  expect([news, next, { ...news, number: 3 }].map((round) => roundHint(round) !== '')).toEqual([true, false, false]);
});
