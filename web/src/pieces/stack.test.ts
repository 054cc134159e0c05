import { describe, expect, it } from 'vitest';
import { COLOURS, isColour, MARKS, tone } from './colours';
import { rise } from './projection';
import { BASE, HEIGHT, SIZES, type Size } from './solid';
import { layers, lifted, type Piece } from './stack';

function stack(sizes: string): Piece[] {
  return [...sizes].map((size) => ({ size: size as Size, colour: 'red' }));
}

/** The width of a pyramid at a height over its base. */
function widthAt(size: Size, height: number): number {
  return BASE[size] * Math.max(0, 1 - height / HEIGHT[size]);
}

describe('layers', () => {
  it.each(['L', 'LL', 'LM', 'LMS', 'LS', 'LLMS', 'LLMMS', 'MMSSS', 'LLLLL'])('shows every layer of %s', (sizes) => {
    const found = layers(stack(sizes));
    expect(found.every(({ hidden, marked }) => !hidden && marked)).toBe(true);
    expect(found[0]!.z).toBe(0);
    for (const [i, { z }] of found.entries()) {
      if (i === 0) continue;
      expect(z - found[i - 1]!.z).toBeGreaterThanOrEqual(20);
      expect(found[i]!.lean).toBeGreaterThan(found[i - 1]!.lean);
    }
  });

  it('lets no pyramid cut into the one beneath', () => {
    for (const sizes of ['LM', 'LS', 'MS', 'LMS', 'LLMMSS']) {
      const found = layers(stack(sizes));
      for (const [i, { piece, z }] of found.entries()) {
        for (const lower of found.slice(0, i)) {
          expect(widthAt(lower.piece.size, z - lower.z)).toBeLessThanOrEqual(BASE[piece.size]);
        }
      }
    }
  });

  it('centres a stack seen from above', () => {
    const leans = layers(stack('LLM')).map(({ lean }) => lean);
    expect(leans.reduce((sum, lean) => sum + lean)).toBeCloseTo(0);
    expect(layers(stack('L'))[0]!.lean).toBe(0);
  });

  it('compresses tall stacks, and takes marks from layers that are too narrow', () => {
    const five = layers(stack('LLLLL'));
    const nine = layers(stack('LLLLLLLLL'));
    expect(nine.at(-1)!.z).toBeCloseTo(five.at(-1)!.z);
    expect(nine.at(-1)!.lean).toBeCloseTo(five.at(-1)!.lean);
    expect(nine.map(({ marked }) => marked)).toEqual([...Array<boolean>(8).fill(false), true]);
  });

  it('hides pyramids that a larger one covers, at its height', () => {
    const tower = layers(stack('MSL'));
    expect(tower.map(({ hidden }) => hidden)).toEqual([true, true, false]);
    expect(tower[2]!.z).toBe(tower[1]!.z);
    expect(tower[2]!.lean).toBe(0);
    expect(layers(stack('SL'))[1]!.z).toBe(0);
    expect(layers(stack('LSM')).map(({ hidden }) => hidden)).toEqual([false, true, false]);
  });

  it('is lifted by its height from the side, by its lean from above', () => {
    const [, upper] = layers(stack('LL'));
    expect(lifted(upper!, 'iso')).toBeCloseTo(upper!.z * rise('iso'));
    expect(lifted(upper!, 'top')).toBe(upper!.lean);
  });
});

describe('colours', () => {
  it('each have their own mark', () => {
    expect(new Set(COLOURS.map((colour) => MARKS[colour])).size).toBe(COLOURS.length);
    expect(SIZES).toHaveLength(3);
  });

  it('are known by name', () => {
    expect(isColour('cyan')).toBe(true);
    expect(isColour('mauve')).toBe(false);
  });

  it('go from deep to light', () => {
    expect(tone('red', 0)).toContain('var(--piece-red-deep) 100%');
    expect(tone('red', 0.5)).toContain(' 0%');
    expect(tone('red', 0.75)).toContain('var(--piece-red-light) 50%');
    expect(tone('red', 2)).toContain('var(--piece-red-light) 100%');
  });
});
