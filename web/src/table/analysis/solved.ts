/** Acts by their solved values, the best first. */

const BEST_FIRST = ['win', 'draw', 'loss'];

export interface Rank {
  value: string | number;
  acts: string[];
}

export function ranked(values: Record<string, string | number>): Rank[] {
  const ranks: Rank[] = [];
  for (const [act, value] of Object.entries(values)) {
    const rank = ranks.find((known) => known.value === value);
    if (rank) rank.acts.push(act);
    else ranks.push({ value, acts: [act] });
  }
  return ranks.sort((a, b) => order(a.value) - order(b.value));
}

function order(value: string | number): number {
  return typeof value === 'number' ? -value : BEST_FIRST.indexOf(value);
}
