/** How the time that somebody has left is shown and told. */

import { counted } from './words';
import type { Clock } from '../wire';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Below this every tenth of a second is shown. */
const SHORT = 10 * SECOND;
const WARNING = 30 * SECOND;

/** "4:59", "1:02:03"; "9.4" where little is left. All in milliseconds. */
export function timeWords(left: number): string {
  if (left < SHORT) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / SECOND);
  const minutes = Math.floor(seconds / 60);
  const parts = [minutes % 60, seconds % 60];
  if (left > HOUR - SECOND) parts.unshift(Math.floor(minutes / 60));
  return parts.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}

/** Whether so little is left that somebody should know: a third of the clock, and never more than half a minute. */
export function isLow(clock: Clock, left: number): boolean {
  return left <= Math.min(WARNING, (clock.seconds * SECOND) / 3);
}

/** "30 seconds an act", "5 minutes a game, 5 seconds more an act". */
export function clockWords({ per, seconds, increment }: Clock): string {
  if (per === 'act') return `${span(seconds)} an act`;
  return increment > 0 ? `${span(seconds)} a game, ${span(increment)} more an act` : `${span(seconds)} a game`;
}

function span(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes > 0 ? counted(minutes, 'minute') : '', rest > 0 ? counted(rest, 'second') : '']
    .filter((part) => part !== '')
    .join(' ');
}
