import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decodeFile } from './file-text';

/** Written by tests/vectors/record_files.py. */
interface Vector {
  file: string;
  text: string | null;
}

const VECTORS = JSON.parse(
  readFileSync(new URL('../../../tests/vectors/record_files.json', import.meta.url), 'utf-8'),
) as Vector[];

it('decodes files like the command line', () => {
  for (const { file, text } of VECTORS) {
    const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0));
    if (text === null) expect(() => decodeFile(bytes)).toThrow(/^This file isn’t/);
    else expect(decodeFile(bytes)).toBe(text);
  }
});
