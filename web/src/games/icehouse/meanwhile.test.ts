import { describe, expect, it } from 'vitest';
import { FIELD, LAYOUT, line, SEATS, view } from './fixtures';
import { giftNews, giftsByTime, missed, reword } from './meanwhile';

const EMPTY = { code: 'hand-empty', message: 'You have nothing in hand.', rule: 'IH-7', where: [] };
const CALL = line('icehouse', 1, 'returns red L:red', 'false_call green');

describe('reword', () => {
  const reworded = (...lines: Parameters<typeof reword>[2]) => reword(LAYOUT, EMPTY, lines, SEATS);

  it('names the call that emptied the hand', () => {
    expect(reworded(line('lift L', 0), CALL, line('lift S', 2))).toBe(
      'Ben’s call came first. Your large is back on your pad.',
    );
  });

  it('leaves refusals with other causes alone', () => {
    expect(reworded()).toBeNull();
    expect(reworded(line('lift L', 0))).toBeNull();
    expect(reworded(CALL, line('lift L', 0))).toBeNull();
    expect(reworded({ ...CALL, seat: 0 })).toBeNull();
    expect(reword(LAYOUT, { ...EMPTY, code: 'overlaps' }, [CALL], SEATS)).toBeNull();
  });

  it('says that the bell was faster', () => {
    const over = { ...EMPTY, code: 'game-over' };
    expect(reword(LAYOUT, over, [line('bell', -1)], SEATS)).toBe('The bell was faster.');
    expect(reword(LAYOUT, over, [line('lift S', 1)], SEATS)).toBeNull();
  });
});

describe('gifts by time', () => {
  const before = view({ owed: { 1: 'S:green' }, pads: [{ red: { L: 4 } }, { green: { S: 1, M: 2 } }, {}] });
  const after = view({ pads: [{ red: { L: 4 } }, { green: { M: 2 } }, { green: { S: 1 } }] });

  it('are derived from the pads', () => {
    expect(giftsByTime(before, after, LAYOUT)).toEqual([{ from: 1, to: 2, piece: 'S:green' }]);
    expect(giftsByTime(before, before, LAYOUT)).toEqual([]);
    expect(giftsByTime(after, after, LAYOUT)).toEqual([]);
  });

  it('are announced', () => {
    expect(giftNews(before, after, LAYOUT, SEATS)).toEqual([
      { kind: 'gift', title: 'Time is up', text: 'Ben gives Cem a small green.', colour: 'green' },
    ]);
  });
});

describe('missed', () => {
  it('reports calls, gifts and iced pieces', () => {
    const before = view({ pads: [{ red: { S: 5 } }, {}, {}] });
    const after = view({ pads: [{ red: { S: 5, L: 1 }, green: { S: 1 } }, {}, {}] });
    const iced = line('place 1,1 point 0.0', 1, 'ices p1');
    expect(FIELD[0]?.iced).toBe(true);
    expect(missed(LAYOUT, [CALL, iced], SEATS, before, after)).toBe(
      'While you were away: False call! Ben called in vain: nobody could be caught. ' +
        'Your large is back on your pad. You got a small green. Iced: your medium.',
    );
  });

  it('omits what the field shows', () => {
    expect(missed(LAYOUT, [line('lift S', 1), line('return', 1)], SEATS, view(), view())).toBeNull();
  });
});
