import { describe, expect, it } from 'vitest';
import { LAYOUT, line, SEATS, stands } from './fixtures';
import { icedScene, sceneOf, type Scene } from './scenes';

function scene(...act: Parameters<typeof line>): Scene | null {
  return sceneOf(line(...act), LAYOUT, SEATS);
}

describe('sceneOf', () => {
  it('reports players who are found, and pieces handed over', () => {
    const found = scene('icehouse', 0, 'finds green', 'hands_over green,red 3', 'finds blue');
    expect(found).toMatchObject({ kind: 'found', title: 'Icehouse!', colour: 'green' });
    expect(found?.text).toBe('You catch Ben and Cem: no points for Ben and Cem, and you play their last 3 pieces.');
  });

  it('reports a false call and its cost', () => {
    expect(scene('icehouse', 1, 'false_call green', 'owes green')?.text).toBe(
      'Nobody could be caught. Ben must give away a piece.',
    );
    expect(scene('icehouse', 1, 'false_call green')?.text).toBe('Ben called in vain: nobody could be caught.');
  });

  it('reports crashes, gifts, captures and meltdowns', () => {
    expect(scene('place 1,1 stand 0.0', 0, 'crashes red L:blue')?.text).toBe(
      'Your large blue hit another piece. You must give it away.',
    );
    expect(scene('give S green', 0, 'gives red,green S:red')?.text).toBe('You give Ben a small red.');
    expect(scene('capture p4', 0, 'captures p4 S:green')?.text).toBe(
      'You take Ben’s small prisoner: its target was iced without it.',
    );
    expect(scene('meltdown blue', 0, 'melts p4,p6 blue')?.text).toBe('2 attackers go back to Cem’s pad.');
  });

  it('tells losers what they lose', () => {
    expect(scene('icehouse', 1, 'finds red', 'hands_over red,green 1')?.text).toBe(
      'Ben catches you: no points for you, and Ben plays your last piece.',
    );
    expect(scene('capture p4', 1, 'captures p4 M:red')?.text).toBe(
      'Ben takes your medium prisoner: its target was iced without it.',
    );
    expect(scene('capture p4', 1, 'captures p4 M:green')?.text).toBe('Ben takes back a medium green.');
    expect(scene('meltdown red', 1, 'melts p4 red')?.text).toBe('1 attacker goes back to your pad.');
    const [medium, small] = [stands('p1', 'red', 'M', 1, 1), stands('p2', 'red', 'S', 1, 1)];
    const attack = line('place 1,1 point 0.0', 1, 'ices p1');
    expect(icedScene(attack, [medium], SEATS)?.text).toBe('Ben ices your medium: it scores nothing until it is free.');
    expect(icedScene({ ...attack, seat: 0 }, [medium, small], SEATS)?.text).toBe(
      'You ice your medium and small: they score nothing until they are free.',
    );
    expect(icedScene(attack, [], SEATS)).toBeNull();
  });

  it('reports a debt that was settled before the act', () => {
    const settled = scene('lift L', 0, 'settles green,blue S:green');
    expect(settled).toMatchObject({ title: 'Time is up', text: 'Ben gives Cem a small green.', colour: 'green' });
  });

  it('reports hands of this browser that were emptied', () => {
    const call = line('icehouse', 1, 'returns red L:red', 'returns blue S:blue', 'false_call green');
    const text = 'Ben called in vain: nobody could be caught.';
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
      text: 'You call again, which does not count.',
    });
    expect(late(1, 196, 0)).toMatchObject({
      title: 'Too late',
      text: 'Ben calls too: you were first by 0.2 s.',
    });
    expect(late(1, 0)?.text).toBe('Ben calls too: another call was first by 0.001 s.');
    expect(late(0, 900, 0)?.text).toBe('You call again, which does not count.');
    expect(scene('meltdown blue', 1)?.text).toBe('Ben calls it on Cem, in vain.');
  });

  it('omits what the field shows', () => {
    expect(scene('lift L', 0)).toBeNull();
    expect(scene('place 1000,1000 stand 0.0', 0, 'places p1 L:red')).toBeNull();
  });
});
