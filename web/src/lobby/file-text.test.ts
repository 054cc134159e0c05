import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decoded } from './file-text';

/** As tests/vectors/record_files.py writes it. */
interface Vector {
  file: string;
  text: string | null;
}

const VECTORS = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/record_files.json', import.meta.url), 'utf-8'),
) as Vector[];

it('files are read as the command line reads them', () => {
  for (const { file, text } of VECTORS) {
    const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0));
    if (text === null) expect(() => decoded(bytes)).toThrow(/^This file isn’t/);
    else expect(decoded(bytes)).toBe(text);
  }
});
