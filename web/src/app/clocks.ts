/** Clocks in words. */

import type { Clock } from '../wire';
import { counted } from './words';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAY_SECONDS = DAY / SECOND;
/** Below this, tenths of a second are shown. */
const TENTHS_BELOW = 10 * SECOND;
const MAX_LOW_TIME = 30 * SECOND;

/** "4:59", "1:02:03"; "9.4" below ten seconds. `left` is in milliseconds. */
export function timeWords(left: number): string {
  if (left < TENTHS_BELOW) return (Math.ceil(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / SECOND);
  const minutes = Math.floor(seconds / 60);
  const parts = [minutes % 60, seconds % 60];
  if (left > HOUR - SECOND) parts.unshift(Math.floor(minutes / 60));
  return parts.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}

/** Whether players have days for each move. */
export function inDays({ per, seconds }: Clock): boolean {
  return per === 'act' && seconds >= DAY_SECONDS;
}

/** "2 days 5 h", "5 h", "40 min". `left` is in milliseconds. */
export function daysWords(left: number): string {
  if (left <= HOUR) return `${Math.ceil(left / MINUTE)} min`;
  const hours = Math.ceil(left / HOUR);
  return [days(Math.floor(hours / 24)), hours % 24 > 0 ? `${hours % 24} h` : ''].filter(Boolean).join(' ');
}

/** How times of day are shown everywhere: "18:05", or "6:05 PM" where the reader's locale counts to twelve. */
export const TIME_OF_DAY = { hour: 'numeric', minute: '2-digit' } as const;

export function timeOfDay(date: Date): string {
  return date.toLocaleTimeString(undefined, TIME_OF_DAY);
}

/** "18:05" today, "Sat 18:05", "5 May, 18:05". `moment` is in milliseconds since 1970. */
export function momentWords(moment: number): string {
  const [date, today] = [new Date(moment), new Date()];
  const isNear = moment - today.getTime() < 6 * DAY;
  const day = isNear ? ({ weekday: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const);
  const isToday = date.toDateString() === today.toDateString();
  return date.toLocaleString(undefined, { ...(isToday ? {} : day), ...TIME_OF_DAY });
}

/** "5 May, 18:05"; with the year if it isn’t this one. `moment` is in milliseconds since 1970. */
export function dateWords(moment: number): string {
  const date = new Date(moment);
  const year = date.getFullYear() === new Date().getFullYear() ? undefined : 'numeric';
  return date.toLocaleString(undefined, { year, month: 'short', day: 'numeric', ...TIME_OF_DAY });
}

/** Whether the time left calls for a warning: at most a third of the clock, and at most half a minute. */
export function isLow(clock: Clock, left: number): boolean {
  return left <= Math.min(MAX_LOW_TIME, (clock.seconds * SECOND) / 3);
}

/** "30 s per move", "5 min + 5 s per move", "10 min per game", "2 days per move". */
export function clockWords({ per, seconds, increment }: Clock): string {
  if (per === 'act') return `${span(seconds)} per move`;
  return increment > 0 ? `${span(seconds)} + ${span(increment)} per move` : `${span(seconds)} per game`;
}

/** "3:07": the time since the start of play. */
export function playedWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / SECOND);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function days(number: number): string {
  return number === 0 ? '' : counted(number, 'day');
}

function span(seconds: number): string {
  if (seconds % DAY_SECONDS === 0) return days(seconds / DAY_SECONDS);
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  return [minutes > 0 ? `${minutes} min` : '', rest > 0 ? `${rest} s` : ''].filter((part) => part !== '').join(' ');
}
