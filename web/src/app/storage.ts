/** Storage in this browser. If that is blocked (as in private windows), values last until the page is closed. */

import { BASE } from './base';

/** Servers under different paths of one host share its storage. */
const PREFIX = `icetable${new URL(BASE).pathname.slice(0, -1)}.`;

const memory = new Map<string, string>();

export function read(key: string): unknown {
  const text = memory.get(key) ?? stored(key);
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
    memory.delete(key);
  } catch {
    memory.set(key, text);
  }
}

export function remove(key: string): void {
  memory.delete(key);
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // nothing was stored
  }
}

export function keys(): string[] {
  try {
    const stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    return [...new Set([...stored.map((key) => key.slice(PREFIX.length)), ...memory.keys()])];
  } catch {
    return [...memory.keys()];
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}
