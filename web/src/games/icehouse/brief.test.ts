import { describe, expect, it } from 'vitest';
import { brief } from './brief';
import { FIELD, LAYOUT, line, SEATS, stands, view } from './fixtures';

/** Between p1 and its attacker p3 Cem has stood a piece since. */
const VIEW = view({ field: [...FIELD, stands('p5', 'blue', 'S', 4700, 4000)] });

function told(...act: Parameters<typeof line>): string | null {
  return brief(LAYOUT, line(...act), SEATS, VIEW);
}

describe('the list of moves', () => {
  it('names what was played, and what an attack was made on', () => {
    expect(told('place 9000,2000 stand 0.0', 0, { kind: 'places', spaces: ['p9'], value: 'L:red' })).toBe(
      'stands a large',
    );
    expect(told('place 5700,4000 point 180.0', 1, { kind: 'places', spaces: ['p3'], value: 'L:green' })).toBe(
      'large attacks the medium red',
    );
    expect(
      told(
        'place 4000,5200 point 270.0',
        2,
        { kind: 'places', spaces: ['p4'], value: 'S:green' },
        { kind: 'ices', spaces: ['p1'], value: null },
        { kind: 'frees', spaces: ['p2'], value: null },
      ),
    ).toBe('small green attacks the medium red – iced!, frees the large blue');
  });

  it('names calls and what comes of them', () => {
    expect(
      told(
        'icehouse',
        1,
        { kind: 'finds', spaces: ['red'], value: null },
        { kind: 'finds', spaces: ['blue'], value: null },
      ),
    ).toBe('calls Icehouse: finds you and Cem');
    expect(told('icehouse', 1, { kind: 'false_call', spaces: ['green'], value: null })).toBe(
      'calls Icehouse: finds nobody',
    );
    expect(told('icehouse', 1, { kind: 'void', spaces: [], value: null })).toBe('calls Icehouse too soon');
    expect(told('meltdown blue', 1, { kind: 'melts', spaces: ['p3'], value: 'blue' })).toBe(
      'calls a meltdown on Cem: 1 attacker goes home',
    );
    expect(told('meltdown blue', 1)).toBe('calls a meltdown on Cem, in vain');
    expect(told('capture p4', 0, { kind: 'captures', spaces: ['p4'], value: 'S:green' })).toBe(
      'captures a small green',
    );
    expect(told('place 1,1 stand 0.0', 0, { kind: 'crashes', spaces: ['red'], value: 'L:red' })).toBe(
      'crashes with a large',
    );
    expect(told('give S red', 1, { kind: 'gives', spaces: ['green', 'red'], value: 'S:green' })).toBe(
      'gives you a small',
    );
    expect(told('bell', -1, { kind: 'rings', spaces: [], value: null })).toBe('the bell rings');
  });

  it('leaves out hands and readiness, but not what happens meanwhile', () => {
    expect([told('ready', 0), told('lift L', 0), told('return', 0)]).toEqual([null, null, null]);
    expect(told('ready', 2, { kind: 'starts', spaces: [], value: null })).toBe('go!');
    expect(told('lift L', 0, { kind: 'settles', spaces: ['green', 'red'], value: 'S:green' })).toBe(
      'time is up: Ben gives you a small',
    );
  });
});
