/** Names of keys, whatever the keyboard layout. */

const SIGNS: Record<string, string> = { BracketLeft: '[', BracketRight: ']' };
/** Signs that are shortcuts even in layouts that have them in the digit row. */
const SHORTCUT_SIGNS = '-+=?[]';

/**
 * The name of a key in shortcuts: the character that it types. For other scripts, the character at the same place of an
 * English keyboard; in the digit row, the digit, even if it takes Shift.
 */
export function keyName({ key, code, shiftKey }: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>): string {
  if (key.length !== 1) return key;
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit && !shiftKey && !SHORTCUT_SIGNS.includes(key)) return digit;
  if (key <= '~') return key;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS[code] ?? key;
}
