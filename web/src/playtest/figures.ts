/** The figures of a play-test, from its report. */

import type { PlaytestReport, PlaytestTable } from '../wire';

export interface Figure {
  label: string;
  people: string;
  bots: string;
}

/** Lengths and results of games between people and between bots; a dash for unknown values. */
export function figures({ tables, bots }: PlaytestReport): Figure[] {
  const over = tables.filter((table) => table.over);
  const seats = over[0]?.seats.length ?? bots?.shares.length ?? 0;
  const thinking = tables.flatMap((table) => table.thinking.filter((seconds) => seconds !== null));
  return [
    {
      label: 'Games played to the end',
      people: `${over.length} of ${tables.length}`,
      bots: bots ? `${bots.games}` : DASH,
    },
    { label: 'Moves in a game', people: rounded(median(over.map(({ acts }) => acts))), bots: rounded(bots?.acts) },
    ...Array.from({ length: seats > 1 ? seats : 0 }, (_, seat) => ({
      label: `Wins of seat ${seat + 1}`,
      people: over.length > 0 ? percent(share(over, seat)) : DASH,
      bots: bots ? percent(bots.shares[seat] ?? 0) : DASH,
    })),
    { label: 'Seconds for a move', people: rounded(median(thinking)), bots: DASH },
  ];
}

const DASH = '–';

/** The share of wins of a seat; shared wins count in part. */
export function share(over: readonly PlaytestTable[], seat: number): number {
  const won = over.map(({ winners }) => (winners.includes(seat) ? 1 / winners.length : 0));
  return won.reduce((sum, part) => sum + part, 0) / over.length;
}

export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

function rounded(value: number | undefined): string {
  return value === undefined ? DASH : `${Math.round(value * 10) / 10}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** "Ann, Ben: Ann won, 5 to 3", "Ann, Robot: under way". */
export function tableWords({ seats, over, winners, scores }: PlaytestTable): string {
  const names = seats.map(({ name }) => name || 'nobody yet').join(', ');
  if (!over) return `${names}: under way`;
  const won = winners.map((seat) => seats[seat]?.name ?? '').join(' and ');
  const points = scores.length > 1 ? `, ${scores.join(' to ')}` : '';
  return `${names}: ${won ? `${won} won` : 'nobody won'}${points}`;
}
