/** Walking along a game by keys. */

/** How many positions PageUp and PageDown go. */
const LEAP = 10;

/** The position that a key leads to; undefined: the key does nothing here. */
export function stepBy(key: string, step: number, steps: number): number | undefined {
  const ways: Record<string, number> = {
    ArrowLeft: step - 1,
    ArrowDown: step - 1,
    ArrowRight: step + 1,
    ArrowUp: step + 1,
    PageDown: step - LEAP,
    PageUp: step + LEAP,
    Home: 0,
    End: steps,
  };
  const to = ways[key];
  return to === undefined ? undefined : Math.min(steps, Math.max(0, to));
}
