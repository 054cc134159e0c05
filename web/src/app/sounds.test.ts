import { expect, it } from 'vitest';
import { loudness } from './sound.svelte';
import { lengthOf, RECIPES, type Sound } from './sounds';

const names = Object.keys(RECIPES) as Sound[];

it.each(names)('%s has valid voices', (name) => {
  for (const { at, attack, ring, gain, pitch, to = pitch } of RECIPES[name]) {
    expect(at).toBeGreaterThanOrEqual(0);
    expect(Math.min(attack, ring)).toBeGreaterThan(0);
    expect(gain).toBeGreaterThan(0);
    expect(gain).toBeLessThan(0.5);
    for (const hertz of [pitch, to]) expect(hertz).toBeGreaterThan(40);
    for (const hertz of [pitch, to]) expect(hertz).toBeLessThan(16_000);
  }
});

it('only a bell rings long; sounds of every move are short', () => {
  expect(names.filter((name) => lengthOf(name) > 2)).toEqual(['bell']);
  for (const name of ['land-S', 'land-M', 'land-L'] as const) expect(lengthOf(name)).toBeLessThan(0.4);
});

it('a larger pyramid sounds lower', () => {
  const [small, medium, large] = (['land-S', 'land-M', 'land-L'] as const).map((name) =>
    Math.max(...RECIPES[name].map(({ pitch }) => pitch)),
  );
  expect(small).toBeGreaterThan(medium!);
  expect(medium).toBeGreaterThan(large!);
});

it('clamps the volume', () => {
  expect([-5, 0, 50, 100, 900].map(loudness)).toEqual([0, 0, 0.25, 1, 1]);
});
