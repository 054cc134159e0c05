import { describe, expect, it } from 'vitest';
import { people } from '../../app/fixtures';
import type { ChatMessage, Seat } from '../../wire';
import { continues, isOwn, newMessages, speakers, chatWords, withMessages } from './chat';

const [ANN, BEN, OTHER] = people('Ann', 'Ben', 'Computer');
const SEATS: Seat[] = [ANN, BEN, { ...OTHER, kind: 'bot', level: 'easy' }];

function message(number: number, seat = 1, name = 'Ben', at = number * 1000): ChatMessage {
  return { number, seat, name, at, text: `text ${number}` };
}

it('messages are stored once and in order, however often they arrive', () => {
  const chat = withMessages([], [message(1), message(2)]);
  expect(withMessages(chat, [message(1), message(2), message(3)]).map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(withMessages(chat, [])).toEqual(chat);
});

it('a message is ours while its writer has the seat', () => {
  expect(isOwn(SEATS, message(1, 0, 'Ann'))).toBe(true);
  expect(isOwn(SEATS, message(1, 0, 'Who was there before'))).toBe(false);
  expect(isOwn(SEATS, message(1, 1, 'Ann'))).toBe(false);
});

describe('new messages', () => {
  const chat = [message(1), message(2, 0, 'Ann'), message(3, 5, 'Cem'), message(4)];

  it('are those of others after the last one that was read, without muted names', () => {
    expect(newMessages(chat, 0, SEATS, []).map(({ number }) => number)).toEqual([1, 3, 4]);
    expect(newMessages(chat, 1, SEATS, ['Ben']).map(({ number }) => number)).toEqual([3]);
    expect(newMessages(chat, 4, SEATS, [])).toEqual([]);
  });

  it('are spoken one by one, and counted if there are several', () => {
    expect(chatWords([])).toBe('');
    expect(chatWords([message(4)])).toBe('Ben: text 4');
    expect(chatWords(chat)).toBe('4 new messages.');
  });
});

it('all other people can be muted, even if they have left, but no computers', () => {
  expect(speakers([message(1, 1, 'Cem'), message(2), message(3, 0, 'Ann')], SEATS)).toEqual(['Ben', 'Cem']);
});

it('messages in quick succession share a name', () => {
  expect(continues(undefined, message(1))).toBe(false);
  expect(continues(message(1), message(2))).toBe(true);
  expect(continues(message(1, 1, 'Cem'), message(2))).toBe(false);
  expect(continues(message(1, 0), message(2))).toBe(false);
  expect(continues(message(1), message(2, 1, 'Ben', 181_000))).toBe(false);
});
