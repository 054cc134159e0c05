/** What a key means, whatever the layout of the keyboard. */

const SIGNS: Record<string, string> = { BracketLeft: '[', BracketRight: ']' };
/** Signs that are shortcuts themselves, where a layout has them among the digits. */
const MEANT = '-+=?[]';

/**
 * The name of a key as shortcuts know it: what it writes. Where that is of another script, what a key in the same place
 * writes on the keyboards of English; in the row of the digits the digit, also where it takes Shift.
 */
export function keyName({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (key.length !== 1) return key;
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit && !shiftKey && !MEANT.includes(key)) return digit;
  if (key <= '~') return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS[code] ?? key;
}
