import { describe, expect, test } from 'vitest';
import { binned } from './charts';
import { intervalOf, link, named, pointOf, written, type Estimate } from './study';

const estimate: Estimate = { value: 0.5, low: 0.4, high: 0.6, method: 'wilson', blocks: 100, unit: '' };

describe('figures', () => {
  test('have as many digits as tell something', () => {
    expect([0, 12, 0.123456, 1234.56, 0.0000037, null].map(written)).toEqual([
      '0',
      '12',
      '0.1235',
      '1235',
      '3.7e-6',
      '–',
    ]);
  });

  test('without a value are not drawn, and without bounds stand alone', () => {
    expect(pointOf({ ...estimate, value: null }, 'seat 1')).toEqual([]);
    expect(pointOf({ ...estimate, low: null, high: null }, 'seat 1')).toEqual([
      { of: 'seat 1', group: '', value: 0.5, low: 0.5, high: 0.5 },
    ]);
  });

  test('between 0 and 1 fill a part of a bar, others none', () => {
    expect(intervalOf({ ...estimate, low: 0.25, high: 0.75 })).toEqual({ from: 25, width: 50, at: 50 });
    expect(intervalOf({ ...estimate, low: -0.5, unit: 'difference' })).toEqual({ from: 25, width: 55, at: 75 });
    expect(intervalOf({ ...estimate, low: -0.5 })).toBeNull();
    expect(intervalOf({ ...estimate, high: 12 })).toBeNull();
    expect(intervalOf({ ...estimate, low: null })).toBeNull();
    expect(link('%1 a')).toBe('data:text/plain;charset=utf-8,%251%20a');
  });

  test('are of measures with readable names', () => {
    expect(named('choice_by_tenth')).toBe('Choice by tenth');
  });

  test('of long games are put together, none is lost', () => {
    const counts: [number, number][] = Array.from({ length: 100 }, (_, length) => [length, 2]);
    const boxes = binned(counts, 10);
    expect(boxes).toHaveLength(10);
    expect(boxes[0]).toEqual({ x1: 0, x2: 10, count: 20 });
    expect(binned([[7, 3]])).toEqual([{ x1: 7, x2: 8, count: 3 }]);
  });
});
