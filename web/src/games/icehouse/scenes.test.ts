import { describe, expect, it } from 'vitest';
import { LAYOUT, line, SEATS } from './fixtures';
import { sceneOf, type Scene } from './scenes';

function scene(...told: Parameters<typeof line>): Scene | null {
  return sceneOf(line(...told), LAYOUT, SEATS);
}

describe('sceneOf', () => {
  it('tells who is found, and what is handed over', () => {
    const found = scene('icehouse', 0, ['finds', ['green']], ['hands_over', ['green', 'red'], 3], ['finds', ['blue']]);
    expect(found).toMatchObject({ kind: 'found', title: 'Icehouse!', colour: 'green', seq: 7 });
    expect(found?.text).toBe('Ann finds Ben and Cem, who are in the icehouse for good and hand over 3 pieces.');
  });

  it('tells of a false call and what it costs', () => {
    expect(scene('icehouse', 1, ['false_call', ['green']], ['owes', ['green']])?.text).toBe(
      'Ben called, and nobody is found. That costs a piece.',
    );
    expect(scene('icehouse', 1, ['false_call', ['green']])?.text).toBe('Ben called, and nobody is found.');
  });

  it('tells of crashes, gifts, captures and meltdowns', () => {
    expect(scene('place 1,1 stand 0.0', 0, ['crashes', ['red'], 'L:blue'])?.text).toBe(
      'Ann owes somebody the large blue.',
    );
    expect(scene('give S green', 0, ['gives', ['red', 'green'], 'S:red'])?.text).toBe('Ann gives Ben a small red.');
    expect(scene('capture p4', 0, ['captures', ['p4'], 'S:green'])?.text).toBe('Ann takes a small green prisoner.');
    expect(scene('meltdown blue', 0, ['melts', ['p4', 'p6'], 'blue'])?.text).toBe('2 attackers go home to Cem.');
  });

  it('tells of a debt that was settled before anything else happened', () => {
    const settled = scene('lift L', 0, ['settles', ['green', 'blue'], 'S:green']);
    expect(settled).toMatchObject({ title: 'Time is up', text: 'Ben gives Cem a small green.', colour: 'green' });
  });

  it('tells the start and the bell', () => {
    expect(scene('ready', 0, ['starts'])?.kind).toBe('start');
    expect(scene('bell', -1, ['rings'], ['ends', ['red'], 'IH-31'])?.kind).toBe('bell');
  });

  it('tells of calls that come to nothing', () => {
    expect(scene('icehouse', 0, ['void'])?.text).toBe('Ann calls icehouse again, which does not count.');
    expect(scene('meltdown blue', 1)?.text).toBe('Ben calls it on blue, in vain.');
  });

  it('leaves to the field what the field tells', () => {
    expect(scene('lift L', 0)).toBeNull();
    expect(scene('place 1000,1000 stand 0.0', 0, ['places', ['p1'], 'L:red'])).toBeNull();
  });
});
