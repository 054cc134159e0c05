/** Words for the time of play, the moment of the bell, which nobody knows (IH-31), and the wait for the end. */

/** Milliseconds as "9:07". */
export function minutes(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}

/** "The bell rings between 8:00 and 12:00."; empty without a bell. */
export function bellWords(options: Readonly<Record<string, unknown>>): string {
  const [timer, spread] = [options['timer'], options['timer_spread']];
  if (typeof timer !== 'number' || typeof spread !== 'number' || timer <= 0) return '';
  const [first, last] = [timer * (1 - spread), timer * (1 + spread)].map((seconds) => minutes(1000 * seconds));
  return first === last ? `The bell rings at ${first}.` : `The bell rings between ${first} and ${last}.`;
}

/** What is left to do for a player who has placed every piece. */
export function doneWords(options: Readonly<Record<string, unknown>>): string {
  const end = `${bellWords(options) ? 'the bell rings or ' : ''}all have placed theirs`;
  return `All your pieces are placed. Until ${end}, you can still call, and capture an attacker that glows.`;
}
