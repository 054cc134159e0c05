import type { Match, Value } from '../wire';

/** "Ann, Ben and Cem". */
export function list(names: string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** A sentence with its end, unless it has one, as after a name that ends in "?". */
export function withStop(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** "1 second", "10 seconds". */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];

/** "1st", "2nd", "11th". */
export function ordinal(number: number): string {
  const teen = Math.floor(number / 10) % 10 === 1;
  return `${number}${(!teen && { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10]) || 'th'}`;
}

/** "first to 3 wins", "5 games, points added up". */
export function matchWords({ until, number }: Match): string {
  return until === 'wins' ? `first to ${number} wins` : `${number} games, points added up`;
}

/** An internal name for readers: "Turn limit" for "turn_limit", "Columns" for "cols". */
export function heading(name: string): string {
  const words = name.replace(/^cols$/, 'columns').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An option's value as people read and type it. */
export function valueWords(value: Value): string {
  if (Array.isArray(value)) return value.map(valueWords).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? 'none').replaceAll('_', ' ');
}
