/** Words for the time of play and for the moment of the bell, which nobody knows (IH-31). */

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
