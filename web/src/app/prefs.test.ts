import { afterEach, describe, expect, it } from 'vitest';
import { isStill, motionNow, pace } from './motion.svelte';
import { motion, Preference } from './prefs.svelte';
import { remove, write } from './storage';

describe('a preference', () => {
  afterEach(() => remove('test'));

  it('is stored, whatever its type', () => {
    for (const value of [true, 40, 'dark']) {
      new Preference<string | number | boolean>('test', value).value = value;
      expect(new Preference<string | number | boolean>('test', value).value).toBe(value);
    }
  });

  it('has its default if nothing valid is stored', () => {
    for (const stored of [undefined, 'no', 3]) {
      write('test', stored);
      expect(new Preference<boolean>('test', true).value).toBe(true);
    }
    write('test', 'purple');
    expect(new Preference<string>('test', 'light', ['light', 'dark']).value).toBe('light');
  });
});

describe('motion', () => {
  afterEach(() => (motion.value = 'system'));

  it('is the user’s choice before the system’s', () => {
    expect(motionNow()).toBe('normal');
    motion.value = 'none';
    expect([isStill(), pace()]).toEqual([true, 1]);
    motion.value = 'fast';
    expect([isStill(), pace()]).toEqual([false, 2]);
  });
});
