/** The review of a game of Icehouse in sentences. Each links to its moment. */

import { playedWords } from '../../../app/clocks';
import { counted } from '../../../app/words';
import type { Row } from '../../../chapters/chapters';
import { capital, everyone, verb, who, whose } from '../../../board/words';
import { isSize, SIZE_WORDS } from '../../../pieces/solid';
import type { Seat } from '../../../wire';
import { actAt } from './course';
import type { Call, Capture, Chance, Crash, Danger, Icing, Meltdown, Review, Seat as Account } from './wire';

export interface Item {
  /** Unique within a list. */
  key: string;
  act: number;
  at: number;
  /** The seat whose mark it has. */
  seat: number;
  text: string;
}

const SECOND_MS = 1000;
/** Shorter times are shown in tenths of a second. */
const WHOLE_SECONDS_FROM_MS = 10 * SECOND_MS;

/** "2:07" since play began; 0:00 before. */
export function moment({ began }: Review, at: number): string {
  return playedWords(Math.max(0, at - began));
}

/** "4.2 s", "27 s". */
export function length(milliseconds: number): string {
  const seconds = milliseconds / SECOND_MS;
  return `${milliseconds < WHOLE_SECONDS_FROM_MS ? seconds.toFixed(1) : Math.round(seconds)}\u00a0s`;
}

/** "Ann 12, You 7". */
export function scoreWords(seats: Seat[], scores: number[]): string {
  return scores.map((score, seat) => `${who(seats, seat)} ${score}`).join(', ');
}

/** "+3", "−2", "0". */
export function signed(points: number): string {
  return points < 0 ? `−${-points}` : points > 0 ? `+${points}` : '0';
}

/** Icings with their points and their end. */
export function icings(review: Review, seats: Seat[]): Item[] {
  return review.icings.map((icing) => {
    const { by, seat, act, start, kind, piece } = icing;
    const target = by === seat ? `a defender of ${who(seats, seat) === 'You' ? 'yours' : 'their own'}` : '';
    const what = target || `${whose(seats, seat)} ${sizeOf(kind)}`;
    const head = by === null ? `${capital(what)} was iced from the start` : `${who(seats, by)} iced ${what}`;
    const text = `${head}${pointWords(seats, icing.points)}. ${fateWords(review, seats, icing)}`;
    return { key: `${act} ${piece}`, act, at: start, seat: by ?? seat, text };
  });
}

function fateWords(review: Review, seats: Seat[], { end, freed_by: by }: Icing): string {
  return by === null ? 'It stayed iced.' : `${who(seats, by)} freed it at ${moment(review, end)}.`;
}

/** ": Ann −2, You +3"; empty if nothing changed. */
function pointWords(seats: Seat[], points: number[]): string {
  const changes = points.flatMap((won, seat) => (won === 0 ? [] : [`${who(seats, seat)} ${signed(won)}`]));
  return changes.length > 0 ? `: ${changes.join(', ')}` : '';
}

/** Calls, prisoners and crashes, in the order of the game. */
export function events(review: Review, seats: Seat[]): Item[] {
  const { calls, meltdowns, captures, crashes } = review;
  const all = [
    ...calls.map((call) => ({ ...call, text: callWords(seats, call) })),
    ...meltdowns.map((call) => ({ ...call, text: meltdownWords(seats, call) })),
    ...captures.map((capture) => ({ ...capture, text: captureWords(seats, capture) })),
    ...crashes.map((crash) => ({ ...crash, text: crashWords(seats, crash) })),
  ];
  const sorted = all.sort((a, b) => a.act - b.act);
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

/** Chances for a call that nobody took, the longest first. */
export function missed(review: Review, seats: Seat[]): Item[] {
  return longest(review.chances.filter(({ found_by: by }) => by === null)).map((chance) => {
    const { seat, start, callers } = chance;
    const found = `${who(seats, seat)} could have been found`;
    return spanItem(
      review,
      chance,
      `${found} for ${span(chance)}, by ${eitherOf(seats, callers).replace(/^You/, 'you')}.`,
      `${start} ${seat}`,
    );
  });
}

/** Defenders that one more attacker would have iced, the longest times first. */
export function dangers(review: Review, seats: Seat[]): Item[] {
  return longest(review.dangers).map((danger) => {
    const { seat, kind, by, last, iced, piece, start } = danger;
    const what = `${sizeOf(kind)}, ${last ? 'the only free defender' : 'a defender under attack'}`;
    const head = `${eitherOf(seats, by)} could have iced ${whose(seats, seat)} ${what}, for ${span(danger)}`;
    return spanItem(review, danger, `${head}${iced ? ', and then it was iced' : ''}.`, `${start} ${piece} ${last}`);
  });
}

function spanItem(review: Review, { seat, start }: Chance | Danger, text: string, key: string): Item {
  return { key, act: actAt(review, start), at: start, seat, text };
}

function longest<T extends Chance | Danger>(spans: T[]): T[] {
  return [...spans].sort((a, b) => b.end - b.start - (a.end - a.start));
}

function span({ start, end }: Chance | Danger): string {
  return length(end - start);
}

/** "Ann or Ben"; the reader first. */
function eitherOf(seats: Seat[], numbers: number[]): string {
  return everyone(seats, numbers).replace(/ and ([^,]*)$/, ' or $1');
}

/** Seats as an object of a sentence, the reader as "you". */
function them(seats: Seat[], numbers: number[]): string {
  return everyone(seats, numbers).replace(/^You/, 'you');
}

/** "large" for "L:red". */
function sizeOf(kind: string): string {
  const [size = ''] = kind.split(':');
  return isSize(size) ? SIZE_WORDS[size] : size;
}

/** "large red" for "L:red". */
function kindWords(kind: string): string {
  return `${sizeOf(kind)} ${kind.split(':')[1]}`;
}

/** "1:02 of 2:35: Ann 12, You 7": the moment shown. */
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

/** The winners, the length and the end of the game. */
export function summary(review: Review, seats: Seat[]): string {
  const { ended, ended_by: by, winners } = review;
  const won = winners.length > 0 ? `${everyone(seats, winners)} ${verb(seats, winners, 'wins')}` : 'Nobody wins';
  return `${won} after ${moment(review, ended)} of play. ${ENDS[by] ?? ''}`.trim();
}

/** The sources of each seat's points. */
export function points(accounts: Account[]): Row[] {
  const each = (write: (seat: Account) => string): string[] => accounts.map(write);
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

export function pace(accounts: Account[]): Row[] {
  const each = (write: (seat: Account) => string): string[] => accounts.map(write);
  const time = (milliseconds: number | null): string => (milliseconds === null ? '–' : length(milliseconds));
  return [
    { name: 'Moves', about: 'Since play began.', figures: each(({ acts }) => String(acts)) },
    { name: 'Pause', about: 'From one move to the next, on average.', figures: each(({ pause }) => time(pause)) },
    { name: 'Longest pause', about: 'Between two moves.', figures: each(({ longest_pause: most }) => time(most)) },
    {
      name: 'Quickest five',
      about: 'The shortest time for five pieces in a row. A hand at a table needs about four seconds.',
      figures: each(({ quickest }) => time(quickest)),
    },
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

/** Texts of empty lists. */
export const NONE = {
  icings: 'No defender was iced.',
  events: 'Nobody called, crashed or took a prisoner.',
  missed: 'No call was missed.',
  dangers: 'No defender was in danger.',
};
