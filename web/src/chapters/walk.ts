/** Positions per PageUp and PageDown. */
const PAGE_STEPS = 10;

/** The position that a key leads to; undefined for other keys. */
export function stepBy(key: string, step: number, steps: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowLeft: step - 1,
    ArrowDown: step - 1,
    ArrowRight: step + 1,
    ArrowUp: step + 1,
    PageDown: step - PAGE_STEPS,
    PageUp: step + PAGE_STEPS,
    Home: 0,
    End: steps,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.min(steps, Math.max(0, target));
}
