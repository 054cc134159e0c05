/** What the lab has found, as `Study.described` writes it. */

export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
  method: string;
  blocks: number;
  unit: string;
}

/** Estimates by what they are of; '' where there is only one. */
export type Figures = Record<string, Estimate>;

/** A space of a board. */
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

/** Answers to questions, as `icetable lab ask` and `compare` write them. */
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
 * Where a bar from 0 to 1 is filled by an interval, in parts of 100; that of a difference goes from -1 to 1. Nothing for
 * figures that lie outside.
 */
export function intervalOf({ value, low, high, unit }: Estimate): { from: number; width: number; at: number } | null {
  const least = unit === 'difference' ? -1 : 0;
  if (value === null || low === null || high === null || low < least || high > 1) return null;
  const [from, to, at] = [low, high, value].map((one) => (100 * (one - least)) / (1 - least)) as [
    number,
    number,
    number,
  ];
  return { from, width: to - from, at };
}

/** A record as a file to keep. */
export function link(record: string): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(record)}`;
}

/** A figure of a chart: its place along the chart and its interval. */
export interface Point {
  of: string;
  group: string;
  value: number;
  low: number;
  high: number;
}

/** The figures of a measure at all strengths; those without a finite interval stand as they are. */
export function pointsOf(study: Study, measure: string): Point[] {
  return Object.entries(study.strengths).flatMap(([group, measures]) =>
    Object.entries(measures[measure] ?? {}).flatMap(([of, estimate]) => pointOf(estimate, of, group)),
  );
}

/** An estimate as a point, or nothing where it has no value. */
export function pointOf({ value, low, high }: Estimate, of: string, group = ''): Point[] {
  return value === null ? [] : [{ of, group, value, low: low ?? value, high: high ?? value }];
}

/** A number with as many digits as tell something. */
export function written(value: number | null): string {
  if (value === null) return '–';
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/** The name of a measure as people write it. */
export function named(measure: string): string {
  const words = measure.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
