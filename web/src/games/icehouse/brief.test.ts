import { describe, expect, it } from 'vitest';
import { brief } from './brief';
import { FIELD, LAYOUT, line, SEATS, stands, view } from './fixtures';

/** Cem has since stood a piece between p1 and its attacker p3. */
const VIEW = view({ field: [...FIELD, stands('p5', 'blue', 'S', 4700, 4000)] });

function briefOf(...act: Parameters<typeof line>): string | null {
  return brief(LAYOUT, line(...act), SEATS, VIEW);
}

describe('the list of moves', () => {
  it('names pieces placed, and targets of attacks', () => {
    expect(briefOf('place 9000,2000 stand 0.0', 0, { kind: 'places', spaces: ['p9'], value: 'L:red' })).toBe(
      'stands a large',
    );
    expect(briefOf('place 5700,4000 point 180.0', 1, { kind: 'places', spaces: ['p3'], value: 'L:green' })).toBe(
      'large attacks the medium red',
    );
    expect(
      briefOf(
        'place 4000,5200 point 270.0',
        2,
        { kind: 'places', spaces: ['p4'], value: 'S:green' },
        { kind: 'ices', spaces: ['p1'], value: null },
        { kind: 'frees', spaces: ['p2'], value: null },
      ),
    ).toBe('small green attacks the medium red – iced!, frees the large blue');
  });

  it('names calls and their results', () => {
    expect(
      briefOf(
        'icehouse',
        1,
        { kind: 'finds', spaces: ['red'], value: null },
        { kind: 'finds', spaces: ['blue'], value: null },
      ),
    ).toBe('calls Icehouse: finds you and Cem');
    expect(briefOf('icehouse', 1, { kind: 'false_call', spaces: ['green'], value: null })).toBe(
      'calls Icehouse: finds nobody',
    );
    expect(briefOf('icehouse', 1, { kind: 'void', spaces: [], value: null })).toBe('calls Icehouse too soon');
    expect(briefOf('meltdown blue', 1, { kind: 'melts', spaces: ['p3'], value: 'blue' })).toBe(
      'calls a meltdown on Cem: 1 attacker goes home',
    );
    expect(briefOf('meltdown blue', 1)).toBe('calls a meltdown on Cem, in vain');
    expect(briefOf('capture p4', 0, { kind: 'captures', spaces: ['p4'], value: 'S:green' })).toBe(
      'captures a small green',
    );
    expect(briefOf('place 1,1 stand 0.0', 0, { kind: 'crashes', spaces: ['red'], value: 'L:red' })).toBe(
      'crashes with a large',
    );
    expect(briefOf('give S red', 1, { kind: 'gives', spaces: ['green', 'red'], value: 'S:green' })).toBe(
      'gives you a small',
    );
    expect(briefOf('bell', -1, { kind: 'rings', spaces: [], value: null })).toBe('the bell rings');
  });

  it('omits hands and readiness, but not gifts by time', () => {
    expect([briefOf('ready', 0), briefOf('lift L', 0), briefOf('return', 0)]).toEqual([null, null, null]);
    expect(briefOf('ready', 2, { kind: 'starts', spaces: [], value: null })).toBe('go!');
    expect(briefOf('lift L', 0, { kind: 'settles', spaces: ['green', 'red'], value: 'S:green' })).toBe(
      'time is up: Ben gives you a small',
    );
  });
});
