import { describe, expect, it } from 'vitest';
import { storage } from '../../app/fixtures';
import { LAYOUT, lies, stands, view } from './fixtures';
import type { Progress } from './first';
import type { FieldPiece } from './wire';

storage();
const { helper } = await import('../../app/prefs.svelte');
const { fitting, turnHelpOn, next, stepAfter } = await import('./first');

function progress(field: FieldPiece[], more: Partial<Progress> = {}): Progress {
  return { layout: LAYOUT, view: view({ field }), seat: 0, holding: false, called: false, ...more };
}

const HOME = stands('p1', 'red', 'M', 1000, 1000);
const SECOND = stands('p2', 'red', 'S', 2000, 1000);
const TARGET = stands('p3', 'green', 'S', 6000, 4000);
const ATTACK = lies('p4', 'red', 'S', 5000, 4000, 0, 'p3');

describe('the first steps', () => {
  it('come one after the other', () => {
    expect(stepAfter('take', progress([TARGET]))).toBe('take');
    expect(stepAfter('take', progress([TARGET], { holding: true }))).toBe('stand');
    expect(stepAfter('stand', progress([TARGET, HOME]))).toBe('second');
    expect(stepAfter('second', progress([TARGET, HOME, SECOND]))).toBe('aim');
    expect(stepAfter('aim', progress([TARGET, HOME, SECOND, ATTACK]))).toBe('ice');
    expect(stepAfter('ice', progress([{ ...TARGET, iced: true }, HOME, SECOND, ATTACK]))).toBe('call');
    expect(stepAfter('call', progress([], { called: true }))).toBe('guard');
    expect(stepAfter('guard', progress([]))).toBe('guard'); // until it has been read
    expect(stepAfter('done', progress([]))).toBe('done');
  });

  it('are skipped if they are done; acts of others do not count', () => {
    expect(stepAfter('take', progress([HOME, SECOND]))).toBe('aim');
    const others = [TARGET, { ...ATTACK, colour: 'blue' as const }, { ...HOME, iced: true }];
    expect(stepAfter('aim', progress(others))).toBe('aim');
  });

  it('are shown only if they are possible', () => {
    const bare = view({ field: [], pads: [{}, {}, {}] });
    expect(fitting('stand', progress([]))).toBe('take');
    expect(fitting('stand', progress([], { holding: true }))).toBe('stand');
    expect(fitting('second', progress([]))).toBe('second');
    expect(fitting('second', progress([], { view: bare }))).toBeNull();
    expect(fitting('call', progress([], { view: bare }))).toBe('call');
  });
});

it('turns the helper on in first games, and leaves it to the player to turn it off', () => {
  turnHelpOn();
  expect(helper.value).toBe(true);
  next.value = 'done';
  turnHelpOn();
  expect(helper.value).toBe(true);
  helper.value = false;
  next.value = 'stand';
  turnHelpOn();
  expect(helper.value).toBe(false);
  next.value = 'take';
  turnHelpOn();
  expect(helper.value).toBe(true);
});
