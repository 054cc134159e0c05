/** A review in words. */

import { who, whose, pointWords } from '../board/words';
import { counted } from '../app/words';
import type { Row } from '../chapters/chapters';
import type { ActLabel, Reason, Review, ReviewedSeat, ReviewProgress, Seat } from '../wire';

/** "18%" of the game. */
export function percent(share: number): string {
  return `${whole(share)}%`;
}

/** A change: "+18%", "−3%", "0%". */
export function signed(share: number): string {
  const points = whole(share);
  const sign = points > 0 ? '+' : points < 0 ? '−' : '';
  return `${sign}${Math.abs(points)}%`;
}

/** A win as certain as a share of the game tells, and what it takes to throw it away. */
const [CERTAIN, MUCH] = [0.995, 0.5];

/** "48 points", "1 point". */
function pointsWords(share: number): string {
  return pointWords(whole(share));
}

/** Whole percentage points; never −0. */
function whole(share: number): number {
  return Math.round(100 * share) || 0;
}

/** "your move 23", "Ann’s move 23". */
export function moveWords(seats: Seat[], seat: number, number: number): string {
  return `${whose(seats, seat)} move ${number}`;
}

/** What an act cost its seat: "cut your chance to win by 48 points", "threw away a certain win". */
export function costWords(
  { acts, positions }: Pick<Review, 'acts' | 'positions'>,
  seats: Seat[],
  index: number,
): string {
  const { seat, regret } = acts[index]!;
  const before = positions[index]?.worth[seat] ?? 0;
  if (before >= CERTAIN && regret >= MUCH) return 'threw away a certain win';
  return `cut ${whose(seats, seat)} chance to win by ${pointsWords(regret)}`;
}

/** "Ann 62%, Ben 38%". */
export function sharesWords(seats: Seat[], worth: number[]): string {
  return worth.map((share, seat) => `${who(seats, seat)} ${percent(share)}`).join(', ');
}

export function progressWords(progress: ReviewProgress | null): string {
  if (progress && progress.ahead > 0) return `Waiting: ${counted(progress.ahead, 'other game')} first.`;
  if (!progress || progress.of === 0) return 'Starting the review…';
  return `Reviewed ${progress.done} of ${counted(progress.of, 'position')}.`;
}

const ACCURACY_ABOUT = '100% = no mistakes; 0% = no better than random moves.';

const LABELS: readonly (readonly [ActLabel, name: string, about: string])[] = [
  ['inaccuracy', 'Inaccuracies', 'Moves that cut the chance to win by 5 points or more.'],
  ['mistake', 'Mistakes', 'By 10 points or more.'],
  ['blunder', 'Blunders', 'By 15 points or more.'],
];

/** Per seat: the accuracy, if known for any, and the number of moves with each label. */
export function faultRows({ acts, seats }: Review): Row[] {
  const labelled = LABELS.map(([label, name, about]) => ({
    name,
    about,
    figures: seats.map((_, seat) => String(acts.filter((act) => act.label === label && act.seat === seat).length)),
  }));
  const figures = seats.map(({ accuracy }) => (accuracy === null ? '–' : percent(accuracy)));
  return [
    ...(figures.some((figure) => figure !== '–') ? [{ name: 'Accuracy', about: ACCURACY_ABOUT, figures }] : []),
    ...labelled,
  ];
}

const ENDS: Partial<Record<Reason, string>> = {
  resign: 'The cost of the resignation: next to nothing in a lost game.',
  time: 'The cost of running out of time.',
  draw: 'The effect of agreeing on a draw.',
};

/** Explains each seat’s share of the game: the rows above it add up to it. */
export function accounts({ seats, ended }: Review): Row[] {
  const each = (write: (seat: ReviewedSeat) => string): string[] => seats.map(write);
  const others = seats.length === 2 ? 'Opponent’s mistakes' : 'Opponents’ mistakes';
  return [
    { name: 'At the start', about: 'The seat’s expected share.', figures: each(({ start }) => percent(start)) },
    { name: 'Luck', about: 'Gains from dice and draws.', figures: each(({ luck }) => signed(luck)) },
    { name: others, about: 'What the mistakes of others gave.', figures: each(({ gifts }) => signed(gifts)) },
    {
      name: 'Own mistakes',
      about: 'What was lost against the best moves that the review found.',
      figures: each(({ regret }) => signed(-regret)),
    },
    {
      name: 'Not explained',
      about: 'Where the review changed its own mind.',
      figures: each(({ drift }) => signed(drift)),
    },
    ...(ended === null ? [] : [{ name: 'The end', about: ENDS[ended] ?? '', figures: each(({ end }) => signed(end)) }]),
    {
      name: 'Share of the game',
      about: 'The sum of these: 100% for a win, less if it is shared.',
      figures: each(({ share }) => percent(share)),
      sum: true,
    },
    {
      name: 'Share without luck',
      about: 'An estimate for average luck; it can be below 0 or above 100%.',
      figures: each(({ luck_adjusted: share }) => percent(share)),
    },
    {
      name: 'Error rate',
      about: 'The average loss per move with a choice, in thousandths of the game. Lower is better.',
      figures: each(({ error_rate: rate }) => String(Math.round(rate))),
    },
  ];
}
