/** The charts of a report. */

import { areaY, barX, dot, line, lineY, rectY, ruleX, ruleY, type PlotOptions } from '@observablehq/plot';
import { pointOf, pointsOf, type Point, type Study } from './study';

const ACCENT = 'var(--accent)';
const EDGE = 'var(--edge)';
const SIDE_MARGIN = 90;
const BOTTOM_MARGIN = 46;
const TENTH = 0.1;
const SIGNIFICANCE_LEVEL = 0.05;
const PERCENT = { tickFormat: '.0%', ticks: 5 };

/** The shares of the seats at each strength, with a line at equal shares. */
export function seats(study: Study): PlotOptions {
  const points = pointsOf(study, 'seat_share');
  const number = new Set(points.map(({ of }) => of)).size;
  return {
    marginLeft: SIDE_MARGIN,
    marginBottom: BOTTOM_MARGIN,
    marginRight: SIDE_MARGIN,
    x: { domain: [0, 1], ...PERCENT, label: 'share of the game', labelAnchor: 'center' },
    y: { label: null },
    fy: { label: null, domain: Object.keys(study.strengths) },
    height: 40 + points.length * 26,
    marks: [
      ruleX([1 / number], { stroke: EDGE, strokeDasharray: '4 3' }),
      ruleY(points, { x1: 'low', x2: 'high', y: 'of', fy: 'group', stroke: ACCENT, strokeWidth: 2 }),
      dot(points, { x: 'value', y: 'of', fy: 'group', fill: ACCENT, r: 4 }),
    ],
  };
}

/** A histogram of the lengths of games between the strongest players. */
export function lengths(study: Study, unit: string): PlotOptions {
  return {
    marginBottom: BOTTOM_MARGIN,
    x: { label: unit, labelAnchor: 'center', ticks: 6, tickFormat: 'd' },
    y: { label: 'games', grid: true },
    height: 240,
    marks: [
      rectY(binned(Object.values(study.lengths).at(-1) ?? []), { x1: 'x1', x2: 'x2', y: 'count', fill: ACCENT }),
      ruleY([0], { stroke: EDGE }),
    ],
  };
}

/** Counts of lengths in at most `maxBins` bins of equal width. */
export function binned(counts: [number, number][], maxBins = 40): { x1: number; x2: number; count: number }[] {
  const longest = Math.max(0, ...counts.map(([length]) => length));
  const width = Math.ceil((longest + 1) / maxBins);
  const bins = new Map<number, number>();
  for (const [length, count] of counts) {
    const start = Math.floor(length / width) * width;
    bins.set(start, (bins.get(start) ?? 0) + count);
  }
  return [...bins].map(([x1, count]) => ({ x1, x2: x1 + width, count }));
}

/** The rules that end games, at each strength. */
export function endings(study: Study): PlotOptions {
  const points = pointsOf(study, 'endings');
  return {
    marginLeft: SIDE_MARGIN,
    marginBottom: BOTTOM_MARGIN,
    x: { domain: [0, 1], ...PERCENT, label: 'games', labelAnchor: 'center' },
    y: { label: null, domain: Object.keys(study.strengths) },
    color: { legend: true, scheme: 'Tableau10' },
    marks: [barX(points, { x: 'value', y: 'group', fill: 'of' })],
  };
}

/** The number of legal acts in each tenth of a game between the strongest players. */
export function choices(study: Study): PlotOptions {
  return byTenth(study, 'choice_by_tenth', { label: 'legal acts', zero: true });
}

/** The share of the seat that acts first, by its first act; significantly better or worse ones are filled. */
export function openings(study: Study): PlotOptions {
  const points = ofStrongest(study, 'openings').sort((a, b) => b.value - a.value);
  const isSignificant = ({ of }: Point): boolean => (study.p_of_openings[of] ?? 1) < SIGNIFICANCE_LEVEL;
  return {
    marginLeft: SIDE_MARGIN,
    marginBottom: BOTTOM_MARGIN,
    x: { domain: [0, 1], ...PERCENT, label: 'share of the game', labelAnchor: 'center' },
    y: { label: null, domain: points.map(({ of }) => of) },
    height: 60 + points.length * 24,
    marks: [
      ruleY(points, { x1: 'low', x2: 'high', y: 'of', stroke: ACCENT, strokeWidth: 2 }),
      dot(points, { x: 'value', y: 'of', stroke: ACCENT, fill: 'var(--surface)', r: 4 }),
      dot(points.filter(isSignificant), { x: 'value', y: 'of', fill: ACCENT, r: 4 }),
    ],
  };
}

/** The precision of the first seat’s share by number of games, at each strength. */
export function precision(study: Study): PlotOptions {
  const points = pointsOf(study, 'precision').map((point) => ({ ...point, games: Number(point.of) }));
  return {
    marginBottom: BOTTOM_MARGIN,
    color: { legend: true, scheme: 'Tableau10' },
    x: { type: 'log', label: 'games', labelAnchor: 'center', ticks: 4, tickFormat: 'd' },
    y: { label: 'half the width of the interval', grid: true, zero: true, tickFormat: '.0%' },
    height: 240,
    marks: [line(points, { x: 'games', y: 'value', stroke: 'group', strokeWidth: 2, marker: 'dot' })],
  };
}

/** The value of the later winner’s position in each tenth of a game between the strongest players. */
export function course(study: Study): PlotOptions {
  return byTenth(study, 'course', { label: 'value for the winner', domain: [0, 1], ...PERCENT });
}

/** A measure by tenths of games between the strongest players. */
function byTenth(study: Study, measure: string, y: PlotOptions['y']): PlotOptions {
  const points = ofStrongest(study, measure).map((point) => ({ ...point, tenth: Number(point.of) }));
  return {
    marginBottom: BOTTOM_MARGIN,
    x: { label: 'tenth of the game', labelAnchor: 'center', ticks: 10 },
    y: { grid: true, ...y },
    height: 240,
    marks: [
      areaY(points, { x: 'tenth', y1: 'low', y2: 'high', fill: ACCENT, fillOpacity: 0.2 }),
      lineY(points, { x: 'tenth', y: 'value', stroke: ACCENT, strokeWidth: 2 }),
    ],
  };
}

/** Final shares by the values of positions, with a dashed line where both are equal. */
export function reliability(study: Study): PlotOptions {
  const points = ofStrongest(study, 'reliability').map((point) => ({
    ...point,
    worth: parseFloat(point.of) + TENTH / 2,
  }));
  return {
    marginBottom: BOTTOM_MARGIN,
    x: { domain: [0, 1], ...PERCENT, label: 'value of a position', labelAnchor: 'center' },
    y: { domain: [0, 1], ...PERCENT, label: 'share at the end', grid: true },
    height: 280,
    marks: [
      line(
        [
          [0, 0],
          [1, 1],
        ],
        { stroke: EDGE, strokeDasharray: '4 3' },
      ),
      ruleX(points, { x: 'worth', y1: 'low', y2: 'high', stroke: ACCENT, strokeWidth: 2 }),
      dot(points, { x: 'worth', y: 'value', fill: ACCENT, r: 4 }),
    ],
  };
}

function ofStrongest(study: Study, measure: string): Point[] {
  const strongest = Object.keys(study.strengths).at(-1);
  return pointsOf(study, measure).filter(({ group }) => group === strongest);
}

/** The Elo of each player of a ladder above the weakest one. */
export function ladder(study: Study): PlotOptions {
  const steps = study.ladder?.steps ?? [];
  const weakest = steps[0]?.against ?? 'random';
  let total = 0;
  const points = steps.map(({ player, elo }) => ({ player, elo: (total += elo.value ?? 0) }));
  return {
    x: { label: null, domain: [weakest, ...points.map(({ player }) => player)] },
    y: { label: `Elo above ${weakest}`, grid: true },
    height: 280,
    marks: [
      ruleY([0], { stroke: EDGE }),
      lineY([{ player: weakest, elo: 0 }, ...points], { x: 'player', y: 'elo', stroke: ACCENT, marker: 'dot' }),
    ],
  };
}

/** The sources of the variance of the result. */
export function luck(study: Study): PlotOptions {
  const parts = Object.entries(study.luck ?? {})
    .filter(([source]) => source !== 'adds_up')
    .flatMap(([source, estimate]) => pointOf(estimate, source))
    .map((point) => ({ ...point, value: Math.max(0, point.value) }));
  return {
    marginBottom: BOTTOM_MARGIN,
    x: { domain: [0, 1], ...PERCENT, label: 'of the result', labelAnchor: 'center', clamp: true },
    color: { legend: true, domain: parts.map(({ of }) => of), scheme: 'Tableau10' },
    height: 100,
    marks: [barX(parts, { x: 'value', fill: 'of' })],
  };
}
