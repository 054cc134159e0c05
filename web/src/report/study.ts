/** Results of the lab, as written by `Study.described`. */

export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
  method: string;
  blocks: number;
  unit: string;
}

/** Estimates by subject; '' if there is only one. */
export type Figures = Record<string, Estimate>;

export interface Space {
  name: string;
  x: number;
  y: number;
}

export interface Study {
  title: string;
  plan: { game: string; options: Record<string, unknown>; seed: number };
  effort: string;
  answers: string[];
  infobox: { name: string; text: string; scale: string }[];
  definitions: Record<string, string>;
  strengths: Record<string, Record<string, Figures>>;
  lengths: Record<string, [number, number][]>;
  p_of_equal_seats: Record<string, number>;
  p_of_openings: Record<string, number>;
  board: Space[];
  luck: Figures | null;
  ladder: {
    steps: { player: string; against: string; share: Estimate; elo: Estimate; pairing: Estimate }[];
    rungs: Estimate;
  } | null;
  records: { name: string; game: string; turns: number; record: string }[];
  command: string;
  versions: Record<string, string>;
}

/** Answers to questions, as written by `icetable lab ask` and `compare`. */
export interface Answered {
  title: string;
  plan: { seed: number };
  verdicts: {
    question: string;
    answer: string;
    said: string;
    figures: Figures;
    games: number | null;
    minutes: number | null;
    watch: { why: string; record: string; at: number | null } | null;
  }[];
  command: string;
}

/**
 * The interval as percentages of a bar from 0 to 1, or from -1 to 1 for a difference. Null for estimates outside the
 * bar.
 */
export function intervalOf({ value, low, high, unit }: Estimate): { from: number; width: number; at: number } | null {
  const min = unit === 'difference' ? -1 : 0;
  if (value === null || low === null || high === null || low < min || high > 1) return null;
  const [from, to, at] = [low, high, value].map((end) => (100 * (end - min)) / (1 - min)) as [number, number, number];
  return { from, width: to - from, at };
}

/** A link that downloads a record. */
export function link(record: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(record)}`;
}

/** An estimate in a chart, with its interval. */
export interface Point {
  of: string;
  group: string;
  value: number;
  low: number;
  high: number;
}

/** The estimates of a measure at all strengths; infinite intervals shrink to the value. */
export function pointsOf(study: Study, measure: string): Point[] {
  return Object.entries(study.strengths).flatMap(([group, measures]) =>
    Object.entries(measures[measure] ?? {}).flatMap(([of, estimate]) => pointOf(estimate, of, group)),
  );
}

/** An estimate as a point; empty if it has no value. */
export function pointOf({ value, low, high }: Estimate, of: string, group = ''): Point[] {
  return value === null ? [] : [{ of, group, value, low: low ?? value, high: high ?? value }];
}

/** A number with its significant digits. */
export function formatNumber(value: number | null): string {
  if (value === null) return '–';
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/** The name of a measure for readers. */
export function measureTitle(measure: string): string {
  const words = measure.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
