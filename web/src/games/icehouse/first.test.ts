import { describe, expect, it } from 'vitest';
import { storage } from '../../app/fixtures';
import { LAYOUT, lies, stands, view } from './fixtures';
import type { Deeds } from './first';
import type { FieldPiece } from './wire';

storage();
const { helper } = await import('../../app/prefs.svelte');
const { fitting, lightLamp, next, stepAfter } = await import('./first');

function deeds(field: FieldPiece[], more: Partial<Deeds> = {}): Deeds {
  return { layout: LAYOUT, view: view({ field }), seat: 0, holding: false, called: false, ...more };
}

const HOME = stands('p1', 'red', 'M', 1000, 1000);
const SECOND = stands('p2', 'red', 'S', 2000, 1000);
const TARGET = stands('p3', 'green', 'S', 6000, 4000);
const ATTACK = lies('p4', 'red', 'S', 5000, 4000, 0, 'p3');

describe('the first steps', () => {
  it('come one after the other', () => {
    expect(stepAfter('take', deeds([TARGET]))).toBe('take');
    expect(stepAfter('take', deeds([TARGET], { holding: true }))).toBe('stand');
    expect(stepAfter('stand', deeds([TARGET, HOME]))).toBe('second');
    expect(stepAfter('second', deeds([TARGET, HOME, SECOND]))).toBe('aim');
    expect(stepAfter('aim', deeds([TARGET, HOME, SECOND, ATTACK]))).toBe('ice');
    expect(stepAfter('ice', deeds([{ ...TARGET, iced: true }, HOME, SECOND, ATTACK]))).toBe('call');
    expect(stepAfter('call', deeds([], { called: true }))).toBe('done');
    expect(stepAfter('done', deeds([]))).toBe('done');
  });

  it('that are done at once are passed over, and what others do is not one', () => {
    expect(stepAfter('take', deeds([HOME, SECOND]))).toBe('aim');
    const others = [TARGET, { ...ATTACK, colour: 'blue' as const }, { ...HOME, iced: true }];
    expect(stepAfter('aim', deeds(others))).toBe('aim');
  });

  it('are told only where they can be done', () => {
    const bare = view({ field: [], pads: [{}, {}, {}] });
    expect(fitting('stand', deeds([]))).toBe('take');
    expect(fitting('stand', deeds([], { holding: true }))).toBe('stand');
    expect(fitting('second', deeds([]))).toBe('second');
    expect(fitting('second', deeds([], { view: bare }))).toBeNull();
    expect(fitting('call', deeds([], { view: bare }))).toBe('call');
  });
});

it('lights the lamp in first games, and leaves it to the player to put it out', () => {
  lightLamp();
  expect(helper.value).toBe(true);
  next.value = 'done';
  lightLamp();
  expect(helper.value).toBe(true);
  next.value = 'take';
  helper.value = false;
  lightLamp();
  expect(helper.value).toBe(false);
});
