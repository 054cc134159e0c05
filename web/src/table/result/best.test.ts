import { beforeEach, expect, it } from 'vitest';
import { storage } from '../../app/fixtures';

const stored = storage();
const { bestNews } = await import('./best');

function newsOf(
  id: string,
  score: number,
  options: Record<string, string | number> = { players: 1, stuck: 'mover' },
): string {
  return bestNews({ id, game: 'squad', options }, score);
}

beforeEach(() => stored.clear());

it('compares a score with the best before it', () => {
  expect(newsOf('a', 9)).toBe('The score to beat next time.');
  expect(newsOf('b', 7)).toBe('Your best score is 9.');
  expect(newsOf('c', 9)).toBe('As good as your best score.');
  expect(newsOf('d', 12)).toBe('Your best score so far: it was 9 before.');
  expect(newsOf('e', 10)).toBe('Your best score is 12.');
});

it('says the same when a game is viewed again', () => {
  for (let again = 0; again < 2; again += 1) expect(newsOf('a', 9)).toBe('The score to beat next time.');
  for (let again = 0; again < 2; again += 1) expect(newsOf('b', 11)).toMatch(/it was 9 before/);
});

it('compares only games with the same options, in whatever order', () => {
  newsOf('a', 9);
  expect(newsOf('b', 7, { stuck: 'mover', players: 1 })).toBe('Your best score is 9.');
  expect(newsOf('c', 7, { stuck: 'all', players: 1 })).toBe('The score to beat next time.');
});

it.each(['7', 'no JSON', '[]', '{"[]": 3}', '{"[]": {"score": "9"}}'])('ignores %s', (text) => {
  stored.set('icetable.best.squad', text);
  expect(bestNews({ id: 'a', game: 'squad', options: {} }, 5)).toBe('The score to beat next time.');
});
