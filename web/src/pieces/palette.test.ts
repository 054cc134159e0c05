import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COLOURS } from './colours';

/** The usual palette, without that of high contrast. */
const [USUAL] = readFileSync('src/pieces/palette.css', 'utf8').split(":root[data-contrast='high']");
/** What WCAG asks of shapes. */
const LEAST = 3;

type Colour = [number, number, number];

/** A tone of dark pages. */
function dark(name: string): Colour {
  const value = new RegExp(`--${name}: (?:light-dark\\(#\\w+, )?(#\\w{6})`).exec(USUAL!)?.[1];
  if (value === undefined) throw new Error(`no --${name}`);
  return [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16)) as Colour;
}

function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: Colour, b: Colour): number {
  const [high, low] = [luminance(a), luminance(b)].sort((one, other) => other - one);
  return (high! + 0.05) / (low! + 0.05);
}

const [water, space] = [dark('board-water'), dark('board-space')];
const rim = (colour: string): Colour =>
  dark(USUAL!.includes(`--piece-${colour}-rim`) ? `piece-${colour}-rim` : `piece-${colour}-light`);

it('lifts spaces from dark water, those of players too', () => {
  const start = Number(/--board-start: (\d+)%/.exec(USUAL!)![1]) / 100;
  expect(contrast(space, water)).toBeGreaterThan(LEAST);
  for (const colour of ['red', 'green', 'blue', 'yellow', 'cyan', 'orange']) {
    const tint = dark(`piece-${colour}`).map((part, i) => start * part + (1 - start) * space[i]!) as Colour;
    expect(contrast(tint, water), colour).toBeGreaterThan(LEAST);
  }
});

it.each([...COLOURS, 'grey'])('outlines %s pieces on dark spaces', (colour) => {
  if (colour !== 'clear') expect(contrast(rim(colour), space)).toBeGreaterThan(LEAST);
});

it('keeps the names of spaces legible', () => {
  expect(contrast(dark('board-text'), space)).toBeGreaterThan(4.5);
});
