import { expect, it } from 'vitest';
import { keyName } from './keys';

it.each([
  ['English', 'q', 'KeyQ', false, 'q'],
  ['French, where Q is where English keyboards have A', 'q', 'KeyA', false, 'q'],
  ['French, a digit without Shift', '&', 'Digit1', false, '1'],
  ['French, a digit with Shift', '1', 'Digit1', true, '1'],
  ['French, a sign among the digits', '-', 'Digit6', false, '-'],
  ['German, with AltGr', '[', 'Digit8', false, '['],
  ['Russian', 'й', 'KeyQ', false, 'q'],
  ['Russian, with Shift', 'Ш', 'KeyI', true, 'I'],
  ['Russian, a bracket', 'х', 'BracketLeft', false, '['],
  ['Greek', 'τ', 'KeyT', false, 't'],
  ['German, a letter of its own', 'ö', 'Semicolon', false, 'ö'],
  ['any, a named key', 'Enter', 'Enter', false, 'Enter'],
  ['any, a digit with Shift', '!', 'Digit1', true, '!'],
])('%s', (_, key, code, shiftKey, name) => {
  expect(keyName({ key, code, shiftKey })).toBe(name);
});
