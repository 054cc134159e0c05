/** A review in words that players use. */

import { who, whose, capital, pointWords } from '../board/words';
import { counted } from '../app/words';
import type { Row } from '../chapters/chapters';
import type { ActLabel, Reason, Review, ReviewedSeat, ReviewProgress, Seat } from '../wire';

/** "18 %" of the game. */
export function percent(share: number): string {
  return `${whole(share)}\u00a0%`;
}

/** "+18 %", "−3 %", "0 %": a change. */
export function signed(share: number): string {
  const points = whole(share);
  const sign = points > 0 ? '+' : points < 0 ? '−' : '';
  return `${sign}${Math.abs(points)}\u00a0%`;
}

/** "48 points", "1 point": by how much a share changes. */
function pointsWords(share: number): string {
  return pointWords(whole(share));
}

/** Points of a hundred; never −0. */
function whole(share: number): number {
  return Math.round(100 * share) || 0;
}

/** "Your move 23", "Ann’s move 23". */
export function moveWords(seats: Seat[], seat: number, number: number): string {
  return `${capital(whose(seats, seat))} move ${number}`;
}

/** "cut your chance to win by 48 points". */
export function costWords(seats: Seat[], seat: number, regret: number): string {
  return `cut ${whose(seats, seat)} chance to win by ${pointsWords(regret)}`;
}

/** "Ann 62 %, Ben 38 %". */
export function worthWords(seats: Seat[], worth: number[]): string {
  return worth.map((share, seat) => `${who(seats, seat)} ${percent(share)}`).join(', ');
}

/** How far a review is. */
export function progressWords(progress: ReviewProgress | null): string {
  if (progress && progress.ahead > 0) return `Waiting: ${counted(progress.ahead, 'other game')} first.`;
  if (!progress || progress.of === 0) return 'The review begins…';
  return `Reviewed ${progress.done} of ${counted(progress.of, 'position')}.`;
}

const ACCURACY =
  'How much of what was at stake each kept: 100\u00a0% gives nothing away, and 0\u00a0% is no better than chance.';

const NAMED: readonly (readonly [ActLabel, name: string, about: string])[] = [
  ['inaccuracy', 'Inaccuracies', 'Moves that cut the chance to win by 5 points or more.'],
  ['mistake', 'Mistakes', 'By 10 points or more.'],
  ['blunder', 'Blunders', 'By 15 points or more.'],
];

/** How well each seat chose, where that is told, and how many of its moves have a name, by their names. */
export function faultRows({ acts, seats }: Review): Row[] {
  const named = NAMED.map(([label, name, about]) => ({
    name,
    about,
    figures: seats.map((_, seat) => String(acts.filter((act) => act.label === label && act.seat === seat).length)),
  }));
  const figures = seats.map(({ accuracy }) => (accuracy === null ? '–' : percent(accuracy)));
  return [
    ...(figures.some((figure) => figure !== '–') ? [{ name: 'Accuracy', about: ACCURACY, figures }] : []),
    ...named,
  ];
}

/** How a game ended that its rules have not ended. */
const ENDS: Partial<Record<Reason, string>> = {
  resign: 'What the resignation changed: to resign a lost game costs next to nothing.',
  time: 'What the clock changed as time ran out.',
  draw: 'What the agreement on a draw changed.',
};

/** Where each seat’s share of the game came from: the first ones add up to the share. */
export function accounts({ seats, ended }: Review): Row[] {
  const each = (write: (seat: ReviewedSeat) => string): string[] => seats.map(write);
  return [
    { name: 'At the start', about: 'What the seat could expect.', figures: each(({ start }) => percent(start)) },
    { name: 'Luck', about: 'What dice and draws brought.', figures: each(({ luck }) => signed(luck)) },
    { name: 'Gifts', about: 'What mistakes of the others brought.', figures: each(({ gifts }) => signed(gifts)) },
    {
      name: 'Own mistakes',
      about: 'What own moves gave away, against the best that the review found.',
      figures: each(({ regret }) => signed(-regret)),
    },
    {
      name: 'Unexplained',
      about: 'Where the review itself changed its mind.',
      figures: each(({ drift }) => signed(drift)),
    },
    ...(ended === null ? [] : [{ name: 'The end', about: ENDS[ended] ?? '', figures: each(({ end }) => signed(end)) }]),
    {
      name: 'Share of the game',
      about: 'All of these together: 100 % for a win, less where it is shared.',
      figures: each(({ share }) => percent(share)),
      sum: true,
    },
    {
      name: 'Share without luck',
      about: 'What it might have been with average luck; below 0 and above 100 % is possible.',
      figures: each(({ luck_adjusted: share }) => percent(share)),
    },
    {
      name: 'Error rate',
      about: 'What a move gave away on average where there was a choice, in thousandths of the game. Less is better.',
      figures: each(({ error_rate: rate }) => String(Math.round(rate))),
    },
  ];
}
