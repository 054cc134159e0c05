import { describe, expect, it } from 'vitest';
import { LAYOUT, line, SEATS } from './fixtures';
import { sceneOf, type Scene } from './scenes';

function scene(...act: Parameters<typeof line>): Scene | null {
  return sceneOf(line(...act), LAYOUT, SEATS);
}

describe('sceneOf', () => {
  it('reports players who are found, and pieces handed over', () => {
    const found = scene('icehouse', 0, 'finds green', 'hands_over green,red 3', 'finds blue');
    expect(found).toMatchObject({ kind: 'found', title: 'Icehouse!', colour: 'green' });
    expect(found?.text).toBe('Ann finds Ben and Cem, who are in the icehouse for good and hand over 3 pieces.');
  });

  it('reports a false call and its cost', () => {
    expect(scene('icehouse', 1, 'false_call green', 'owes green')?.text).toBe(
      'Nobody was in the icehouse. Ben must give away a piece.',
    );
    expect(scene('icehouse', 1, 'false_call green')?.text).toBe('Nobody was in the icehouse. Ben called in vain.');
  });

  it('reports crashes, gifts, captures and meltdowns', () => {
    expect(scene('place 1,1 stand 0.0', 0, 'crashes red L:blue')?.text).toBe(
      'Ann must give the large blue to an opponent.',
    );
    expect(scene('give S green', 0, 'gives red,green S:red')?.text).toBe('Ann gives Ben a small red.');
    expect(scene('capture p4', 0, 'captures p4 S:green')?.text).toBe('Ann takes a small green prisoner.');
    expect(scene('meltdown blue', 0, 'melts p4,p6 blue')?.text).toBe('2 attackers go home to Cem.');
  });

  it('reports a debt that was settled before the act', () => {
    const settled = scene('lift L', 0, 'settles green,blue S:green');
    expect(settled).toMatchObject({ title: 'Time is up', text: 'Ben gives Cem a small green.', colour: 'green' });
  });

  it('reports hands of this browser that were emptied', () => {
    const call = line('icehouse', 1, 'returns red L:red', 'returns blue S:blue', 'false_call green');
    const text = 'Nobody was in the icehouse. Ben called in vain.';
    expect(sceneOf(call, LAYOUT, SEATS)?.text).toBe(`${text} Your large is back on your pad.`);
    const both = SEATS.map((seat) => ({ ...seat, mine: seat.seat !== 1 }));
    expect(sceneOf(call, LAYOUT, both)?.text).toBe(
      `${text} Ann’s large red is back on the pad. Cem’s small blue is back on the pad.`,
    );
    const bell = line('bell', -1, 'rings', 'returns red S:green');
    expect(sceneOf(bell, LAYOUT, SEATS)?.text).toBe('Play stops. Your small green is back on your pad.');
  });

  it('reports the start and the bell', () => {
    expect(scene('ready', 0, 'starts')?.kind).toBe('start');
    expect(scene('bell', -1, 'rings', 'ends red IH-31')?.kind).toBe('bell');
  });

  it('reports calls without effect', () => {
    const late = (seat: number, value: number | null, first?: number) => {
      const act = line('icehouse', seat);
      return sceneOf({ ...act, effects: [{ kind: 'void', spaces: [], value }] }, LAYOUT, SEATS, first);
    };
    expect(late(0, null)).toMatchObject({
      title: 'Too soon',
      text: 'Ann calls icehouse again, which does not count.',
    });
    expect(late(1, 196, 0)).toMatchObject({
      title: 'Too late',
      text: 'Ben calls icehouse too: Ann was first by 0.2 s.',
    });
    expect(late(1, 0)?.text).toBe('Ben calls icehouse too: another call was first by 0.001 s.');
    expect(late(0, 900, 0)?.text).toBe('Ann calls icehouse again, which does not count.');
    expect(scene('meltdown blue', 1)?.text).toBe('Ben calls it on blue, in vain.');
  });

  it('omits what the field shows', () => {
    expect(scene('lift L', 0)).toBeNull();
    expect(scene('place 1000,1000 stand 0.0', 0, 'places p1 L:red')).toBeNull();
  });
});
