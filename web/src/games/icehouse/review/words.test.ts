import { describe, expect, it } from 'vitest';
import { review, SEATS } from './fixtures';
import { dangers, events, icings, length, missed, moment, pace, points, scoreWords, stepWords, summary } from './words';

const NBSP = '\u00a0';

describe('times', () => {
  it('count since play began', () => {
    expect([0, 10_000, 137_000].map((at) => moment(review(), at))).toEqual(['0:00', '0:00', '2:07']);
  });

  it('are in tenths of a second if they are short', () => {
    expect([0, 4240, 9999, 10_000, 61_000].map(length)).toEqual(
      ['0.0', '4.2', '10.0', '10', '61'].map((seconds) => `${seconds}${NBSP}s`),
    );
  });
});

describe('the course', () => {
  it('is summed up in a sentence, and each moment has its scores', () => {
    expect(summary(review(), SEATS)).toBe('Ann wins after 1:40 of play. The bell ended it.');
    expect(summary(review({ winners: [1], ended_by: 'resign' }), SEATS)).toBe(
      'You win after 1:40 of play. It ended as a player resigned.',
    );
    expect(stepWords(review(), SEATS, 2)).toBe('0:50 of 1:40: Ann 3, You 0');
    expect(scoreWords(SEATS, [12, 7])).toBe('Ann 12, You 7');
  });
});

describe('who iced what', () => {
  const icing = { piece: 'p1', kind: 'L:red', seat: 0, act: 2, start: 60_000, end: 80_000, by: 1, over: [] };
  const fate = { attackers: [1], points: [-3, 2], freed_by: null, returned: [0, 0] };

  it('shows the points of an icing and its end', () => {
    const [stayed] = icings(review({ icings: [{ ...icing, ...fate }] }), SEATS);
    expect(stayed).toMatchObject({
      act: 2,
      at: 60_000,
      seat: 1,
      text: 'You iced Ann’s large: Ann −3, You +2. It stayed iced.',
    });
    const [freed] = icings(review({ icings: [{ ...icing, ...fate, freed_by: 0, points: [0, 0] }] }), SEATS);
    expect(freed?.text).toBe('You iced Ann’s large. Ann freed it at 1:10.');
  });

  it('covers players who iced their own pieces, and pieces that nobody iced', () => {
    const own = icings(review({ icings: [{ ...icing, ...fate, by: 0, points: [-3, 0] }] }), SEATS);
    expect(own[0]?.text).toBe('Ann iced a defender of their own: Ann −3. It stayed iced.');
    const first = icings(review({ icings: [{ ...icing, ...fate, by: null, seat: 1 }] }), SEATS);
    expect(first[0]).toMatchObject({
      seat: 1,
      text: 'Your large was iced from the start: Ann −3, You +2. It stayed iced.',
    });
  });
});

describe('calls, prisoners and crashes', () => {
  it('come in the order of the game', () => {
    const call = { act: 6, at: 70_000, seat: 0, verdict: 'true' as const, found: [1], pieces: 1, waited: 4200 };
    const none = { found: [], pieces: 0, waited: null };
    const items = events(
      review({
        calls: [
          call,
          { ...call, act: 7, waited: null, pieces: 2 },
          { ...call, ...none, act: 3, verdict: 'false' },
          { ...call, ...none, act: 4, verdict: 'void' },
        ],
        meltdowns: [
          { act: 1, at: 20_000, seat: 1, colour: 0, pieces: ['p1', 'p2'] },
          { act: 2, at: 20_000, seat: 1, colour: 0, pieces: [] },
        ],
        captures: [{ act: 5, at: 60_000, seat: 1, piece: 'p9', kind: 'S:red', owner: 0 }],
        crashes: [{ act: 8, at: 90_000, seat: 0, kind: 'M:red' }],
      }),
      SEATS,
    );
    expect(items.map(({ text }) => text)).toEqual([
      'You called meltdown on Ann: 2 pieces went back.',
      'You called meltdown on Ann in vain.',
      'Ann called icehouse falsely.',
      'Ann called icehouse, and the call was void.',
      'You took a prisoner: a small red.',
      `Ann called icehouse and found you 4.2${NBSP}s after the first chance: 1 piece won.`,
      'Ann called icehouse and found you: 2 pieces won.',
      'Ann crashed with a medium red.',
    ]);
  });
});

describe('missed chances', () => {
  it('show calls with their length, the longest first, and lead to the act before', () => {
    const chance = { seat: 0, start: 20_000, end: 24_000, callers: [1], found_by: null };
    const items = missed(
      review({
        chances: [
          { ...chance, found_by: 1 },
          { ...chance, seat: 1, callers: [0] },
          { ...chance, start: 61_000, end: 91_000 },
        ],
      }),
      SEATS,
    );
    expect(items.map(({ act, text }) => [act, text])).toEqual([
      [2, `Ann could have been found for 30${NBSP}s, by you.`],
      [1, `You could have been found for 4.0${NBSP}s, by Ann.`],
    ]);
  });

  it('show defenders that one more attacker would have iced', () => {
    const danger = { piece: 'p1', kind: 'L:red', seat: 0, start: 60_000, end: 70_000, by: [1], last: true, iced: true };
    const items = dangers(review({ dangers: [{ ...danger, end: 61_000, last: false, iced: false }, danger] }), SEATS);
    expect(items.map(({ text }) => text)).toEqual([
      `You could have iced Ann’s large, the only free defender, for 10${NBSP}s, and then it was iced.`,
      `You could have iced Ann’s large, a defender under attack, for 1.0${NBSP}s.`,
    ]);
  });
});

describe('tables', () => {
  it('show points and times', () => {
    const { seats } = review();
    expect(Object.fromEntries(points(seats).map(({ name, figures }) => [name, figures[0]]))).toEqual({
      Defenders: '+6',
      Attackers: '+4',
      Iced: '−5',
      Freed: '0',
      Spoilt: '−2',
      Icehouse: '0',
      Score: '3',
    });
    expect(Object.fromEntries(pace(seats).map(({ name, figures }) => [name, figures[0]]))).toEqual({
      Moves: '7',
      Pause: `2.3${NBSP}s`,
      'Longest pause': `10.0${NBSP}s`,
      'Quickest five': `4.1${NBSP}s`,
      Answer: '–',
      'In danger': `61${NBSP}s`,
      'Open to a call': `1.2${NBSP}s`,
      'Wasted attackers': '1',
    });
  });
});
