import { expect, it } from 'vitest';
import type { GameView } from '../board/game-view';
import { playedWords } from '../review/acts';
import type { Frame, PuzzleVerdict, TableInfo } from '../wire';
import { refutation } from './words';

const seats = ['Red', 'Green'].map((name, seat) => ({ seat, name, mine: seat === 0, kind: 'person' }));
const table = { layout: {}, seats } as unknown as TableInfo;
const game = {
  brief: (_: unknown, { text }: { text: string }) => `friend on ${text}!`,
  say: () => 'The die shows two.',
} as unknown as GameView;

function frame(seat: number, text: string): Frame {
  return { seq: 2, line: { seq: 2, seat, text, effects: [] }, view: {} as Frame['view'], legal: {} };
}

function verdict(worth: number | null, best: number | null, ...reply: Frame[]): PuzzleVerdict {
  return { is_right: false, explanation: 'There is a better move.', worth, best, reply, answer: [] };
}

it.each([
  [0.2, 0.85, 'Not it: 20% to win. The best move gives 85%.'],
  [0.5, 1, 'Not it: 50% to win. A different move wins outright.'],
  [0, 1, 'Not it: that loses. A different move wins outright.'],
  [0, 0.5, 'Not it: that loses. The best move gives 50%.'],
])('explains an act of value %f instead of %f', (worth, best, words) => {
  expect(refutation(verdict(worth, best), table, game, 0)).toBe(words);
});

it('quotes the reply of another seat, after chance and own acts', () => {
  const replies = [frame(-1, 'die:2'), frame(0, 'b1'), frame(1, 'c2'), frame(1, 'd3')];
  const words = refutation(verdict(0, 1, ...replies), table, game, 0);
  expect(words).toBe('Green replies: friend on c2. Not it: that loses. A different move wins outright.');
  expect(refutation(verdict(0, 1, ...replies), table, undefined, 0)).toMatch(/^Green replies: c2\. /);
});

it('repeats the server’s explanation if the value is unknown', () => {
  expect(refutation(verdict(null, null), table, game, 0)).toBe('There is a better move.');
});

it('describes chance events and moves', () => {
  const [roll, move] = [frame(-1, 'die:2'), frame(1, 'c2')];
  expect(playedWords(roll.line!, roll, table, game)).toBe('The die shows two');
  expect(playedWords(move.line!, move, table, game)).toBe('friend on c2');
  expect(playedWords(move.line!, move, table, undefined)).toBe('c2');
});
