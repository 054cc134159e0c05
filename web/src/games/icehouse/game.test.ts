import { describe as suite, expect, it } from 'vitest';
import { describe, gathers, reason, say } from './game';
import { LAYOUT, line, SEATS, view } from './fixtures';
import { placeText, preyOf, readGift } from './acts';
import { isScoring } from './tally';

function said(...act: Parameters<typeof line>): string {
  return say(LAYOUT, line(...act), SEATS);
}

suite('acts', () => {
  it('are written in the notation of the rules', () => {
    expect(placeText({ x: 12_000, y: 8500, heading: 450, standing: true })).toBe('place 12000,8500 stand 45.0');
    expect(placeText({ x: -3, y: 0, heading: 7, standing: false })).toBe('place -3,0 point 0.7');
  });

  it('are read', () => {
    expect(preyOf('capture p17')).toBe('p17');
    expect(preyOf('lift L')).toBeNull();
    expect(readGift('give S green', 'red')).toMatchObject({ piece: 'S:red', to: 'green', size: 'S', colour: 'red' });
    expect(readGift('give L:blue green', 'red')).toMatchObject({ piece: 'L:blue', colour: 'blue' });
    expect(readGift('icehouse', 'red')).toBeNull();
  });
});

suite('isScoring', () => {
  it('counts free defenders and attackers of iced ones, but nobody in the icehouse', () => {
    const counting = (now = view()) => now.field.filter((piece) => isScoring(piece, now, LAYOUT)).map(({ id }) => id);
    expect(counting()).toEqual(['p2', 'p3', 'p4']);
    expect(counting(view({ in_icehouse: [1] }))).toEqual(['p2']);
  });
});

suite('say', () => {
  it('describes acts with their effects', () => {
    expect(said('ready', 0)).toBe('You are ready.');
    expect(said('lift L:green', 2)).toBe('Cem takes a large green.');
    expect(said('place 4000,4000 point 0.0', 1, 'places p9 L:green', 'ices p1')).toBe(
      'Ben lays down a large green, number 9; number 1 is iced.',
    );
    expect(said('capture p4', 0, 'captures p4 S:green', 'frees p1')).toBe(
      'Captured: You take Ben’s small prisoner: its target was iced without it; number 1 stands free.',
    );
    expect(said('icehouse', 1, 'void')).toBe('Too soon: Ben calls again, which does not count.');
    expect(said('meltdown blue', 1)).toBe('Meltdown? Ben calls it on Cem, in vain.');
  });
});

suite('describe', () => {
  it('describes pads and hands, then the field, own pieces first', () => {
    expect(describe(LAYOUT, view(), SEATS)).toBe(
      [
        '4 pieces on the field.',
        'Ann (red), 0 points: 5 small, 4 large and 1 medium green on the pad, a large red in hand.',
        'Ben (green), 4 points: 1 small on the pad.',
        'Cem (blue), 3 points: nothing on the pad.',
        'Your medium number 1 is iced by 2 pips.',
        'Large blue number 2 stands free.',
        'Large green number 3 lies 0.4 inch east of your medium number 1, which is iced by 2 pips.',
        'Small green number 4 lies 0.3 inch north of your medium number 1, which is iced by 2 pips.',
      ].join(' '),
    );
  });

  it('describes debts, the icehouse, and players who are not ready', () => {
    const text = describe(LAYOUT, view({ owed: { '1': null }, in_icehouse: [2], ready: [0] }), SEATS);
    expect(text).toContain('Play starts when everybody is ready; still waiting for Ben and Cem.');
    expect(text).toContain('Ben (green), 4 points: 1 small on the pad, owes a piece.');
    expect(text).toContain('nothing on the pad, in the icehouse.');
  });
});

suite('the reason of the end', () => {
  it('is the bell or the last piece, with the players in the icehouse', () => {
    expect(reason(LAYOUT, view({ over: true, ended_by: 'IH-31' }), SEATS)).toBe('The bell has rung.');
    expect(reason(LAYOUT, view({ over: true, ended_by: 'IH-32', in_icehouse: [1] }), SEATS)).toBe(
      'Every piece has been played. Ben is in the icehouse.',
    );
    expect(reason(LAYOUT, view({ over: true, ended_by: 'IH-31', in_icehouse: [1, 2] }), SEATS)).toBe(
      'The bell has rung. Ben and Cem are in the icehouse.',
    );
  });
});

it('gathers its players until all are ready', () => {
  expect(gathers(view({ ready: [0, 2] }))).toBe(true);
  expect(gathers(view({ ready: [0, 1, 2] }))).toBe(false);
});
