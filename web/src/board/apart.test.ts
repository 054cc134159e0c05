import { describe, expect, it } from 'vitest';
import { splitName } from './apart';

describe('a name that is cut', () => {
  it('keeps the part that differs from the others', () => {
    const names = ['Computer', 'Computer 2', 'Computer 3', 'Ann'];
    expect(names.map((name) => splitName(name, names))).toEqual([
      ['Computer', ''],
      ['Computer ', '2'],
      ['Computer ', '3'],
      ['Ann', ''],
    ]);
  });

  it('is cut at its end if its first letters differ', () => {
    expect(splitName('Anna', ['Anna', 'Bea', 'Axel'])).toEqual(['Anna', '']);
    expect(splitName('Anna', [])).toEqual(['Anna', '']);
  });

  it('is not cut within a letter', () => {
    expect(splitName('👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀', ['👩🏽‍🚀👩🏽‍🚀👩🏽‍🔬'])).toEqual(['👩🏽‍🚀👩🏽‍🚀', '👩🏽‍🚀']);
  });
});
