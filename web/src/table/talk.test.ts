import { describe, expect, it } from 'vitest';
import type { ChatMessage, Seat } from '../wire';
import { goesOn, isOurs, newRemarks, talkers, talkWords, withRemarks } from './talk';

const ANN: Seat = { seat: 0, kind: 'person', name: 'Ann', level: null, colour: 'red', mine: true, gone: false };
const BEN: Seat = { ...ANN, seat: 1, name: 'Ben', colour: 'blue', mine: false };
const BOT: Seat = { ...ANN, seat: 2, kind: 'bot', name: 'Computer', level: 'easy', colour: 'green', mine: false };
const SEATS = [ANN, BEN, BOT];

function remark(number: number, seat = 1, name = 'Ben', at = number * 1000): ChatMessage {
  return { number, seat, name, at, text: `text ${number}` };
}

it('remarks are known once and in order, however often they come', () => {
  const talk = withRemarks([], [remark(1), remark(2)]);
  expect(withRemarks(talk, [remark(1), remark(2), remark(3)]).map((one) => one.number)).toEqual([1, 2, 3]);
  expect(withRemarks(talk, [])).toEqual(talk);
});

it('a remark is ours while its speaker has the seat', () => {
  expect(isOurs(SEATS, remark(1, 0, 'Ann'))).toBe(true);
  expect(isOurs(SEATS, remark(1, 0, 'Who was there before'))).toBe(false);
  expect(isOurs(SEATS, remark(1, 1, 'Ann'))).toBe(false);
});

describe('new remarks', () => {
  const talk = [remark(1), remark(2, 0, 'Ann'), remark(3, 5, 'Cem'), remark(4)];

  it('are those of others behind the last that was heard, but of nobody who is muted', () => {
    expect(newRemarks(talk, 0, SEATS, []).map((one) => one.number)).toEqual([1, 3, 4]);
    expect(newRemarks(talk, 1, SEATS, ['Ben']).map((one) => one.number)).toEqual([3]);
    expect(newRemarks(talk, 4, SEATS, [])).toEqual([]);
  });

  it('are spoken one by one, and counted where there are several', () => {
    expect(talkWords([])).toBe('');
    expect(talkWords([remark(4)])).toBe('Ben: text 4');
    expect(talkWords(talk)).toBe('4 new remarks.');
  });
});

it('everybody but us can be muted, also who has left the seat, and no computer', () => {
  expect(talkers([remark(1, 1, 'Cem'), remark(2), remark(3, 0, 'Ann')], SEATS)).toEqual(['Ben', 'Cem']);
});

it('a name stands over remarks that follow each other closely', () => {
  expect(goesOn(undefined, remark(1))).toBe(false);
  expect(goesOn(remark(1), remark(2))).toBe(true);
  expect(goesOn(remark(1, 1, 'Cem'), remark(2))).toBe(false);
  expect(goesOn(remark(1, 0), remark(2))).toBe(false);
  expect(goesOn(remark(1), remark(2, 1, 'Ben', 181_000))).toBe(false);
});
