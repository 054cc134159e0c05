/** The review of a game of Icehouse in sentences. Each leads to its moment. */

import { playedWords } from '../../../app/clocks';
import { counted } from '../../../app/words';
import type { Row } from '../../../chapters/chapters';
import { capital, everyone, verb, who, whose } from '../../../board/words';
import { isSize, SIZE_WORDS } from '../../../pieces/solid';
import type { Seat } from '../../../wire';
import { actAt } from './course';
import type { Call, Capture, Chance, Crash, Danger, Icing, Meltdown, Review, Seat as Told } from './wire';

/** One line of a list. */
export interface Item {
  /** The number of the act that it is about; a list has each once. */
  key: string;
  act: number;
  at: number;
  /** Whom it concerns first. */
  seat: number;
  text: string;
}

const SECOND = 1000;
/** Shorter times are told in tenths of a second. */
const SHORT = 10 * SECOND;

/** "2:07" since play began; 0:00 for what was before. */
export function moment({ began }: Review, at: number): string {
  return playedWords(Math.max(0, at - began));
}

/** "4.2 s", "27 s". */
export function length(milliseconds: number): string {
  const seconds = milliseconds / SECOND;
  return `${milliseconds < SHORT ? seconds.toFixed(1) : Math.round(seconds)}\u00a0s`;
}

/** "Ann 12, You 7". */
export function scoreWords(seats: Seat[], scores: number[]): string {
  return scores.map((score, seat) => `${who(seats, seat)} ${score}`).join(', ');
}

/** "+3", "−2", "0". */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : points > 0 ? `+${points}` : '0';
}

/** Who iced what, what that brought, and what became of it. */
export function icings(review: Review, seats: Seat[]): Item[] {
  return review.icings.map((one) => {
    const { by, seat, act, start, kind, piece } = one;
    const target = by === seat ? `a defender of ${who(seats, seat) === 'You' ? 'yours' : 'their own'}` : '';
    const what = target || `${whose(seats, seat)} ${sizeOf(kind)}`;
    const head = by === null ? `${capital(what)} was iced from the start` : `${who(seats, by)} iced ${what}`;
    const text = `${head}${pointWords(seats, one.points)}. ${fateWords(review, seats, one)}`;
    return { key: `${act} ${piece}`, act, at: start, seat: by ?? seat, text };
  });
}

function fateWords(review: Review, seats: Seat[], { end, freed_by: by }: Icing): string {
  return by === null ? 'It stayed iced.' : `${who(seats, by)} freed it at ${moment(review, end)}.`;
}

/** ": Ann −2, You +3"; empty where nothing changed. */
function pointWords(seats: Seat[], points: number[]): string {
  const changes = points.flatMap((won, seat) => (won === 0 ? [] : [`${who(seats, seat)} ${signed(won)}`]));
  return changes.length > 0 ? `: ${changes.join(', ')}` : '';
}

/** Calls, prisoners and crashes, in the order of the game. */
export function deeds(review: Review, seats: Seat[]): Item[] {
  const { calls, meltdowns, captures, crashes } = review;
  const all = [
    ...calls.map((one) => ({ ...one, text: callWords(seats, one) })),
    ...meltdowns.map((one) => ({ ...one, text: meltdownWords(seats, one) })),
    ...captures.map((one) => ({ ...one, text: captureWords(seats, one) })),
    ...crashes.map((one) => ({ ...one, text: crashWords(seats, one) })),
  ];
  const sorted = all.sort((one, other) => one.act - other.act);
  return sorted.map(({ act, at, seat, text }) => ({ key: `${act} ${text}`, act, at, seat, text }));
}

function callWords(seats: Seat[], { seat, verdict, found, pieces, waited }: Call): string {
  const name = who(seats, seat);
  if (verdict === 'void') return `${name} called icehouse, and the call was void.`;
  if (verdict === 'false') return `${name} called icehouse falsely.`;
  const late = waited === null ? '' : ` ${length(waited)} after the first chance`;
  return `${name} called icehouse and found ${them(seats, found)}${late}: ${counted(pieces, 'piece')} won.`;
}

function meltdownWords(seats: Seat[], { seat, colour, pieces }: Meltdown): string {
  const head = `${who(seats, seat)} called meltdown on ${them(seats, [colour])}`;
  return pieces.length > 0 ? `${head}: ${counted(pieces.length, 'piece')} went back.` : `${head} in vain.`;
}

function captureWords(seats: Seat[], { seat, kind }: Capture): string {
  return `${who(seats, seat)} took a prisoner: a ${kindWords(kind)}.`;
}

function crashWords(seats: Seat[], { seat, kind }: Crash): string {
  return `${who(seats, seat)} crashed with a ${kindWords(kind)}.`;
}

/** When a call would have found somebody and nobody made it, the longest first. */
export function missed(review: Review, seats: Seat[]): Item[] {
  return longest(review.chances.filter(({ found_by: by }) => by === null)).map((one) => {
    const { seat, start, callers } = one;
    const found = `${who(seats, seat)} could have been found`;
    return spanItem(
      review,
      one,
      `${found} for ${span(one)}, by ${eitherOf(seats, callers).replace(/^You/, 'you')}.`,
      `${start} ${seat}`,
    );
  });
}

/** Defenders that one more attacker would have iced, the longest times first. */
export function dangers(review: Review, seats: Seat[]): Item[] {
  return longest(review.dangers).map((one) => {
    const { seat, kind, by, last, iced, piece, start } = one;
    const what = last ? 'the only free defender' : 'a defender under attack';
    const head = `${eitherOf(seats, by)} could have iced ${whose(seats, seat)} ${sizeOf(kind)}, ${what}, for ${span(one)}`;
    return spanItem(review, one, `${head}${iced ? ', and then it was iced' : ''}.`, `${start} ${piece} ${last}`);
  });
}

function spanItem(review: Review, { seat, start }: Chance | Danger, text: string, key: string): Item {
  return { key, act: actAt(review, start), at: start, seat, text };
}

function longest<T extends Chance | Danger>(spans: T[]): T[] {
  return [...spans].sort((one, other) => other.end - other.start - (one.end - one.start));
}

function span({ start, end }: Chance | Danger): string {
  return length(end - start);
}

/** "Ann or Ben"; the reader first. */
function eitherOf(seats: Seat[], numbers: number[]): string {
  return everyone(seats, numbers).replace(/ and ([^,]*)$/, ' or $1');
}

/** Seats whom something happened to, the reader as "you". */
function them(seats: Seat[], numbers: number[]): string {
  return everyone(seats, numbers).replace(/^You/, 'you');
}

/** "large" of "L:red": whose it is says the colour. */
function sizeOf(kind: string): string {
  const [size = ''] = kind.split(':');
  return isSize(size) ? SIZE_WORDS[size] : size;
}

/** "large red" of "L:red". */
function kindWords(kind: string): string {
  return `${sizeOf(kind)} ${kind.split(':')[1]}`;
}

/** "1:02 of 2:35: Ann 12, You 7": the moment on show. */
export function stepWords(review: Review, seats: Seat[], act: number): string {
  const { at, scores } = review.course[act]!;
  return `${moment(review, at)} of ${moment(review, review.ended)}: ${scoreWords(seats, scores)}`;
}

const ENDS: Record<string, string> = {
  'IH-31': 'The bell ended it.',
  'IH-32': 'It ended as every piece was played.',
  resign: 'It ended as a player resigned.',
  draw: 'It ended in a draw by agreement.',
};

/** How long it was and how it ended. */
export function summary(review: Review, seats: Seat[]): string {
  const { ended, ended_by: by, winners } = review;
  const won = winners.length > 0 ? `${everyone(seats, winners)} ${verb(seats, winners, 'wins')}` : 'Nobody wins';
  return `${won} after ${moment(review, ended)} of play. ${ENDS[by] ?? ''}`.trim();
}

/** Where the points of each seat came from. */
export function points(told: Told[]): Row[] {
  const each = (write: (seat: Told) => string): string[] => told.map(write);
  return [
    { name: 'Defenders', about: 'Set up to stand.', figures: each(({ account }) => signed(account.stood)) },
    {
      name: 'Attackers',
      about: 'That iced what they attack.',
      figures: each(({ account }) => signed(account.attacked)),
    },
    { name: 'Iced', about: 'Defenders lost to attackers.', figures: each(({ account }) => signed(account.iced)) },
    { name: 'Freed', about: 'Defenders won back.', figures: each(({ account }) => signed(account.freed)) },
    {
      name: 'Spoilt',
      about: 'Attackers that ceased to count: their targets were freed, or they were captured or blocked.',
      figures: each(({ account }) => signed(account.spoilt)),
    },
    { name: 'Icehouse', about: 'All that was lost there.', figures: each(({ account }) => signed(account.icehouse)) },
    { name: 'Score', about: 'All of these together.', figures: each(({ score }) => String(score)), sum: true },
  ];
}

/** How fast hands were. */
export function pace(told: Told[]): Row[] {
  const each = (write: (seat: Told) => string): string[] => told.map(write);
  const time = (milliseconds: number | null): string => (milliseconds === null ? '–' : length(milliseconds));
  return [
    { name: 'Moves', about: 'Since play began.', figures: each(({ acts }) => String(acts)) },
    { name: 'Pause', about: 'From one move to the next, on average.', figures: each(({ pause }) => time(pause)) },
    { name: 'Longest pause', about: 'Between two moves.', figures: each(({ longest_pause: most }) => time(most)) },
    {
      name: 'Answer',
      about: 'From the icing of a defender to the next piece placed, on average.',
      figures: each(({ answer }) => time(answer)),
    },
    {
      name: 'In danger',
      about: 'A defender could have been iced.',
      figures: each(({ endangered }) => time(endangered)),
    },
    { name: 'Open to a call', about: 'A call would have found the player.', figures: each(({ open }) => time(open)) },
    { name: 'Wasted attackers', about: 'Worth nothing at the end.', figures: each(({ wasted }) => String(wasted)) },
  ];
}

/** What a list says where it is empty. */
export const NONE = {
  icings: 'No defender was iced.',
  deeds: 'Nobody called, crashed or took a prisoner.',
  missed: 'No call was missed.',
  dangers: 'No defender was in danger.',
};
