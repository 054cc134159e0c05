import { describe, expect, test } from 'vitest';
import { binned } from './charts';
import { intervalOf, link, measureTitle, pointOf, formatNumber, type Estimate } from './study';

const estimate: Estimate = { value: 0.5, low: 0.4, high: 0.6, method: 'wilson', blocks: 100, unit: '' };

describe('figures', () => {
  test('are rounded to significant digits', () => {
    expect([0, 12, 0.123456, 1234.56, 0.0000037, null].map(formatNumber)).toEqual([
      '0',
      '12',
      '0.1235',
      '1235',
      '3.7e-6',
      '–',
    ]);
  });

  test('without a value are not drawn, and without bounds have no interval', () => {
    expect(pointOf({ ...estimate, value: null }, 'seat 1')).toEqual([]);
    expect(pointOf({ ...estimate, low: null, high: null }, 'seat 1')).toEqual([
      { of: 'seat 1', group: '', value: 0.5, low: 0.5, high: 0.5 },
    ]);
  });

  test('between 0 and 1 fill part of a bar', () => {
    expect(intervalOf({ ...estimate, low: 0.25, high: 0.75 })).toEqual({ from: 25, width: 50, at: 50 });
    expect(intervalOf({ ...estimate, low: -0.5, unit: 'difference' })).toEqual({ from: 25, width: 55, at: 75 });
    expect(intervalOf({ ...estimate, low: -0.5 })).toBeNull();
    expect(intervalOf({ ...estimate, high: 12 })).toBeNull();
    expect(intervalOf({ ...estimate, low: null })).toBeNull();
    expect(link('%1 a')).toBe('data:text/plain;charset=utf-8,%251%20a');
  });

  test('have readable names', () => {
    expect(measureTitle('choice_by_tenth')).toBe('Choice by tenth');
  });

  test('of long games are binned', () => {
    const counts: [number, number][] = Array.from({ length: 100 }, (_, length) => [length, 2]);
    const bins = binned(counts, 10);
    expect(bins).toHaveLength(10);
    expect(bins[0]).toEqual({ x1: 0, x2: 10, count: 20 });
    expect(binned([[7, 3]])).toEqual([{ x1: 7, x2: 8, count: 3 }]);
  });
});
