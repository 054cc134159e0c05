/** Words for the time of play, the moment of the bell, which nobody knows (IH-31), and the wait for the end. */

/** Milliseconds as "9:07". */
export function minutes(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}

/** How long before the earliest bell players are warned. */
const WARNING_MS = 30_000;

type Options = Readonly<Record<string, unknown>>;

/** When the bell may ring at the earliest and at the latest, in milliseconds of play; null without a bell. */
function bellTimes(options: Options): [number, number] | null {
  const [timer, spread] = [options['timer'], options['timer_spread']];
  if (typeof timer !== 'number' || typeof spread !== 'number' || timer <= 0) return null;
  return [1000 * timer * (1 - spread), 1000 * timer * (1 + spread)];
}

/** "The bell rings between 8:00 and 12:00."; empty without a bell. */
export function bellWords(options: Options): string {
  const [first, last] = bellTimes(options)?.map(minutes) ?? [];
  if (first === undefined) return '';
  return first === last ? `The bell rings at ${first}.` : `The bell rings between ${first} and ${last}.`;
}

/** Whether the bell may ring soon, given the milliseconds played. */
export function isLate(options: Options, played: number): boolean {
  const [first] = bellTimes(options) ?? [Infinity];
  return played >= first - Math.min(WARNING_MS, first / 4);
}

/** What a player with pieces left should know when the bell may ring soon. */
export function lateWords(options: Options): string {
  const [first = 0] = bellTimes(options) ?? [];
  return `The bell may ring from ${minutes(first)} on. Pieces on your pad score nothing: place them.`;
}

/** What is left to do for a player who has placed every piece. */
export function doneWords(options: Options): string {
  const end = `${bellWords(options) ? 'the bell rings or ' : ''}all have placed theirs`;
  return `All your pieces are placed. Until ${end}, you can still call, and capture an attacker that glows.`;
}
