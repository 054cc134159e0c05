import { describe, expect, it } from 'vitest';
import { type Act, choices, clockwise, labels, narrow, next, reader, replaced, tap, wordsOf } from './acts';

const SPACES = ['a1', 'a2', 'b1', 'b2', 'a10', 'top.left'];
const read = reader(SPACES);

function acts(...texts: string[]): Act[] {
  return texts.map(read);
}

const MOVES = acts('a1-b2', 'a1-a2', 'b1-b2', 'b1>n', 'b1>ne', 'pass');

describe('the spaces that an act names', () => {
  it.each([
    ['a1-b2', ['a1', 'b2']],
    ['S@b1', ['b1']],
    ['a10', ['a10']],
    ['a10-a1', ['a10', 'a1']],
    ['top.left>n', ['top.left']],
    ['choose:a1', ['a1']],
    ['pass', []],
    ['a11', []],
  ])('of %s are %j', (text, spaces) => {
    expect(read(text).spaces).toEqual(spaces);
  });

  it.each([
    ['a1-a10', 'b1-b2'],
    ['~a1*a1', '~b1*b2'],
    ['pass', 'pass'],
  ])('can be replaced: %s becomes %s', (text, other) => {
    expect(replaced(read(text), ['b1', 'b2'])).toBe(other);
  });
});

describe('taps', () => {
  it('mark the possible next spaces: at first those that acts start with', () => {
    expect([...next(MOVES, [])]).toEqual(['a1', 'b1']);
    expect([...next(MOVES, ['a1'])]).toEqual(['b2', 'a2']);
    expect([...next(MOVES, ['b2'])]).toEqual(['a1', 'b1']);
  });

  it('send an act once it is the only one left, with all its spaces tapped', () => {
    expect(tap(MOVES, [], 'a1')).toEqual({ tapped: ['a1'] });
    expect(tap(MOVES, ['a1'], 'b2')).toEqual({ act: 'a1-b2' });
    expect(tap(acts('a1', 'a2'), [], 'a2')).toEqual({ act: 'a2' });
    expect(tap(acts('a1-b2'), [], 'a1')).toEqual({ tapped: ['a1'] });
  });

  it('may start with the last space of an act', () => {
    expect(tap(MOVES, [], 'b2')).toEqual({ tapped: ['b2'] });
    expect(tap(MOVES, ['b2'], 'b1')).toEqual({ act: 'b1-b2' });
  });

  it('respect the order of spaces if it matters', () => {
    const both = acts('a1-b2', 'b2-a1');
    expect(tap(both, ['a1'], 'b2')).toEqual({ act: 'a1-b2' });
    expect(tap(both, ['b2'], 'a1')).toEqual({ act: 'b2-a1' });
  });

  it('undo the last space, or start over with another one', () => {
    expect(tap(MOVES, ['a1'], 'a1')).toEqual({ tapped: [] });
    expect(tap(MOVES, ['a1'], 'b1')).toEqual({ tapped: ['b1'] });
  });

  it('try illegal acts, so that the server says why', () => {
    expect(tap(MOVES, ['a1'], 'a10')).toEqual({ act: 'a1-a10' });
    expect(tap(acts('S@a1', 'S@a2'), [], 'b2')).toEqual({ act: 'S@b2' });
    expect(tap(acts('a1-a2', 'pass'), [], 'b2')).toBeNull();
  });

  it('work for acts of three spaces, and for those that return', () => {
    const hops = acts('a1-a2-a1', 'a1-a2-b2', 'a1-a2');
    expect(tap(hops, ['a1'], 'a2')).toEqual({ tapped: ['a1', 'a2'] });
    expect(choices(hops, ['a1', 'a2']).map(({ text }) => text)).toContain('a1-a2');
    expect([...next(hops, ['a1', 'a2'])]).toEqual(['a1', 'b2']);
    expect(tap(hops, ['a1', 'a2'], 'b2')).toEqual({ act: 'a1-a2-b2' });
    expect(tap(hops, ['a1', 'a2'], 'a1')).toEqual({ act: 'a1-a2-a1' });
  });
});

describe('buttons', () => {
  it('exist for acts without spaces, and for acts whose spaces are all tapped', () => {
    expect(choices(MOVES, []).map(({ text }) => text)).toEqual(['pass']);
    expect(choices(MOVES, ['b1']).map(({ text }) => text)).toEqual(['b1>n', 'b1>ne', 'pass']);
    expect(choices(MOVES, ['a1']).map(({ text }) => text)).toEqual(['pass']);
  });

  it.each([
    [
      ['b1>n', 'b1>ne', 'pass'],
      ['n', 'ne', 'pass'],
    ],
    [
      ['S@b1', 'M@b1'],
      ['small', 'medium'],
    ],
    [
      ['S@b1>n', 'M@b1>ne'],
      ['small n', 'medium ne'],
    ],
    [
      ['S@b1>n', 'S@b1>ne'],
      ['n', 'ne'],
    ],
    [
      ['S@b1', 'S@b1>ne'],
      ['small', 'small ne'],
    ],
    [
      ['choose:rock', 'choose:red paper'],
      ['rock', 'red paper'],
    ],
    [
      ['a1-a2', 'a1-a2 2', 'a1*a2 2'],
      ['a1–a2', 'a1–a2 2', 'a1*a2 2'],
    ],
  ])('for %j show how the acts differ, otherwise the whole act', (texts, words) => {
    expect(labels(acts(...texts), { S: 'small', M: 'medium' })).toEqual(words);
  });

  it('for directions are in compass order on the rotated board', () => {
    const at = { n: 90, e: 0, s: 270, w: 180 };
    const order = (labels: string[], headings: Record<string, number> = at): string[] =>
      clockwise(
        labels.map((label) => ({ label })),
        headings,
      ).map(({ label }) => label);
    expect(order(['e', 'n', 's', 'w', 'pass'])).toEqual(['n', 'e', 's', 'w', 'pass']);
    expect(order(['e', 'n', 's', 'w'], { n: 270, e: 180, s: 450, w: 360 })).toEqual(['s', 'w', 'n', 'e']);
    expect(order(['large e', 'large n', 'small e', 'small n'])).toEqual(['large n', 'large e', 'small n', 'small e']);
    expect(order(['swap', 'e', 'n', 'stay'])).toEqual(['swap', 'n', 'e', 'stay']);
  });

  it('are not needed for words of pieces on a pad', () => {
    expect([...wordsOf(acts('S@a1', 'M@a1>n', 'pass', 'choose:rock'))]).toEqual(['S', 'M', 'n']);
  });

  it('leave all acts if nothing is tapped', () => {
    expect(narrow(MOVES, [])).toEqual(MOVES);
  });
});
