/**
 * What this browser remembers. Where it may not remember (private windows, blocked storage) it lasts until
 * the page is left.
 */

import { BASE } from './base';

/** Under a path of its own a server shares the storage with others. */
const PREFIX = `icetable${new URL(BASE).pathname.slice(0, -1)}.`;

const passing = new Map<string, string>();

export function read(key: string): unknown {
  const text = passing.get(key) ?? stored(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function write(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(PREFIX + key, text);
    passing.delete(key);
  } catch {
    passing.set(key, text);
  }
}

export function remove(key: string): void {
  passing.delete(key);
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // nothing was stored
  }
}

export function keys(): string[] {
  try {
    const kept = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return [...new Set([...kept.map((key) => key.slice(PREFIX.length)), ...passing.keys()])];
  } catch {
    return [...passing.keys()];
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}
