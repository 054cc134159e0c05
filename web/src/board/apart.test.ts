import { describe, expect, it } from 'vitest';
import { apart } from './apart';

describe('a name that is cut', () => {
  it('keeps what tells it from the others', () => {
    const names = ['Computer', 'Computer 2', 'Computer 3', 'Ann'];
    expect(names.map((name) => apart(name, names))).toEqual([
      ['Computer', ''],
      ['Computer ', '2'],
      ['Computer ', '3'],
      ['Ann', ''],
    ]);
  });

  it('is cut at its end where its first letters tell it apart', () => {
    expect(apart('Anna', ['Anna', 'Bea', 'Axel'])).toEqual(['Anna', '']);
    expect(apart('Anna', [])).toEqual(['Anna', '']);
  });

  it('is not cut within a letter', () => {
    expect(apart('👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀', ['👩🏽‍🚀👩🏽‍🚀👩🏽‍🔬'])).toEqual(['👩🏽‍🚀👩🏽‍🚀', '👩🏽‍🚀']);
  });
});
