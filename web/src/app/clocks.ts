/** Clocks in words. */

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

/** Whether the time left calls for a warning: at most a third of the clock, and at most half a minute. */
export function isLow(clock: Clock, left: number): boolean {
  return left <= Math.min(WARNING, (clock.seconds * SECOND) / 3);
}

/** "30 s per move", "5 min + 5 s per move", "10 min per game". */
export function clockWords({ per, seconds, increment }: Clock): string {
  if (per === 'act') return `${span(seconds)} per move`;
  return increment > 0 ? `${span(seconds)} + ${span(increment)} per move` : `${span(seconds)} per game`;
}

/** "3:07": a time since play began, in milliseconds. */
export function playedWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function span(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 ? `${rest} s` : ''].filter((part) => part !== '').join(' ');
}
