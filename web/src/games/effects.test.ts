import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { games } from './registry';

/** As tests/vectors/effects.py writes them: the kinds of effects that each game sends. */
const FILE = new URL('../../../tests/vectors/effects.json', import.meta.url);
const sent = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string[]>;

const SOURCES = import.meta.glob<string>(['./**/*.{ts,svelte}', '!./**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const NAMED = /\beffects?\([\w.]+, '(\w+)'\)/g;

/** The kinds of effects that a game's own modules ask for: those at its name and in the folder of its name. */
function asked(game: string): string[] {
  const own = new RegExp(`^\\./${game}[./]`, 'i');
  const sources = Object.entries(SOURCES).flatMap(([path, source]) => (own.test(path) ? [source] : []));
  return sources.flatMap((source) => [...source.matchAll(NAMED)].map(([, kind]) => kind!));
}

describe.each(Object.entries(games))('the effects of %s', (game, { landmarks }) => {
  it('that its modules ask for are sent', () => {
    expect(asked(game)).not.toEqual([]);
    expect(asked(game).filter((kind) => !sent[game]!.includes(kind))).toEqual([]);
  });

  it('that are landmarks are sent', () => {
    expect(Object.keys(landmarks)).not.toEqual([]);
    expect(Object.keys(landmarks).filter((kind) => !sent[game]!.includes(kind))).toEqual([]);
  });
});
