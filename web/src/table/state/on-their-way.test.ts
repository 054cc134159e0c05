import { describe, expect, it } from 'vitest';
import { acknowledged, actsOf, refused, type PendingRequest } from './on-their-way';

function act(id: string, after?: string): PendingRequest {
  return { id, act: { seat: 0, text: `act ${id}`, after } };
}

const ALL: PendingRequest[] = [
  act('a'),
  act('b', 'a'),
  { id: 'offer', act: null },
  act('c', 'b'),
  act('call'),
  act('d'),
];

function ids(all: readonly { id: string }[]): string[] {
  return all.map(({ id }) => id);
}

describe('requests on their way', () => {
  it('are settled by their own answers, in any order', () => {
    expect(ids(acknowledged(ALL, 'c'))).toEqual(['a', 'b', 'offer', 'call', 'd']);
    expect(acknowledged(ALL, 'unknown')).toBe(ALL);
  });

  it('are dropped with those that depend on them when they are refused', () => {
    expect(ids(refused(ALL, 'a'))).toEqual(['offer', 'call', 'd']);
    expect(ids(refused(ALL, 'b'))).toEqual(['a', 'offer', 'call', 'd']);
    expect(ids(refused(ALL, 'call'))).toEqual(['a', 'b', 'offer', 'c', 'd']);
  });

  it('include acts', () => {
    expect(ids(actsOf(ALL))).toEqual(['a', 'b', 'c', 'call', 'd']);
    expect(actsOf(ALL)[1]).toEqual({ id: 'b', seat: 0, text: 'act b' });
  });
});
