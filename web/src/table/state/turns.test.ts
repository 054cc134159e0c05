import { describe, expect, it } from 'vitest';
import type { Line } from '../../wire';
import { latestWords, positionBeside, reuse, turnAt, turnsOf } from './turns';

/** A text in brackets is not listed. */
function lines(...acts: [seat: number, text: string][]): Line[] {
  return acts.map(([seat, text], i) => ({ seq: i + 1, seat, text, effects: [] }));
}

function brief({ text }: Line): string | null {
  return text.startsWith('(') ? null : text;
}

function entries(...acts: [seat: number, text: string][]): string[] {
  return turnsOf(lines(...acts), brief).map(
    ({ seat, first, last, words }) => `${seat} ${first}–${last} ${words.join(', ')}`,
  );
}

describe('the list of moves', () => {
  it('has an entry for a roll with the acts after it', () => {
    expect(entries([-1, 'die'], [0, 'a'], [0, 'b'], [0, '(end)'], [-1, 'die'], [-1, 'die'], [1, 'c'])).toEqual([
      '0 1–4 die, a, b',
      '-1 5–5 die',
      '1 6–7 die, c',
    ]);
  });

  it('has an entry for an act without words', () => {
    expect(turnsOf(lines([-1, 'die'], [0, 'a']), ({ seat, text }) => (seat < 0 ? '' : text))).toMatchObject([
      { first: 1, last: 2, words: ['', 'a'] },
    ]);
  });

  it('has an entry for each act without a roll', () => {
    expect(entries([0, 'a'], [1, 'b'], [1, 'c'], [-1, 'bell'])).toEqual([
      '0 1–1 a',
      '1 2–2 b',
      '1 3–3 c',
      '-1 4–4 bell',
    ]);
  });

  it('has an entry for each act of a single player after a roll', () => {
    const acts = lines([-1, 'die'], [0, 'a'], [0, 'b'], [0, 'c'], [-1, 'die'], [0, 'd']);
    expect(turnsOf(acts, brief, true).map(({ words }) => words.join(', '))).toEqual(['die, a', 'b', 'c', 'die, d']);
  });

  it('leaves out what is not listed', () => {
    expect(entries([0, '(ready)'], [1, '(lift)'], [1, 'place'], [0, '(lift)'])).toEqual(['1 3–3 place']);
  });

  it('reuses unchanged turns', () => {
    const acts = lines([-1, 'die'], [0, 'a'], [-1, 'die'], [1, 'b'], [1, 'c']);
    const before = turnsOf(acts.slice(0, 4), brief);
    const now = reuse(turnsOf(acts, brief), before);
    expect(now.map((turn, i) => turn === before[i])).toEqual([true, false]);
    expect(now.map(({ words }) => words.length)).toEqual([2, 3]);
    const exact = reuse(
      turnsOf(acts, ({ seq }) => `${seq}`),
      now,
    );
    expect(exact.map(({ words }) => words)).toEqual([
      ['1', '2'],
      ['3', '4', '5'],
    ]);
  });

  it('is stepped through by entries, from any position', () => {
    const turns = turnsOf(
      lines([0, '(ready)'], [1, 'a'], [0, '(lift)'], [-1, 'die'], [1, 'b'], [1, 'c'], [0, '(lift)']),
      brief,
    );
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((seq) => turnAt(turns, seq)?.last ?? 0)).toEqual([0, 0, 2, 2, 6, 6, 6, 6]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((seq) => positionBeside(turns, seq, 1))).toEqual([2, 2, 6, 6, 6, 6, 6, 7]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((seq) => positionBeside(turns, seq, -1))).toEqual([0, 0, 1, 2, 2, 2, 2, 6]);
    expect(positionBeside([], 0, 1)).toBe(0);
  });

  it('leads to earlier moves that are not known yet', () => {
    const turns = turnsOf(lines([0, 'a'], [1, 'b'], [0, 'c']).slice(1), brief);
    expect([positionBeside(turns, 2, -1), positionBeside(turns, 1, -1), turnAt(turns, 1)]).toEqual([1, 0, undefined]);
  });
});

describe('the words about the latest turn', () => {
  function words(...acts: [seat: number, text: string][]): string {
    return latestWords(lines(...acts), ({ seat, text }, roller) => `${text} of ${seat} for ${roller}.`);
  }

  it('are those about all its acts, with its roll', () => {
    expect(words([0, 'a'], [-1, 'die'], [1, 'b'], [1, 'c'])).toBe('die of -1 for 1. b of 1 for 1. c of 1 for 1.');
    expect(words([0, 'a'], [1, 'b'])).toBe('b of 1 for 1.');
    expect(words()).toBe('');
  });

  it('leave out the roll of the next turn, but not what chance does', () => {
    expect(words([0, 'a'], [-1, 'die'])).toBe('a of 0 for 0.');
    const rock = { seq: 2, seat: -1, text: 'draw:rock', effects: [{ kind: 'falls', spaces: ['a1'], value: null }] };
    expect(latestWords([...lines([0, 'a']), rock], ({ text }) => text)).toBe('a draw:rock');
    expect(latestWords([rock], ({ text }) => text)).toBe('draw:rock');
  });
});
