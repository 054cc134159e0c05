/**
 * The text of a file, by the rules of `core/record_text.py`, so that a record that the command line reads is opened here
 * too. Vectors in tests/vectors hold both to them.
 */

const NO_TEXT = 'This file isn’t text.';
const NOT_UTF_8 = 'This file isn’t in UTF-8. Save it as text in UTF-8 or UTF-16.';

/** What files begin with that say how they are encoded. The longer of two marks comes first. */
const MARKS: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Which of the first four bytes are zero where a text without a mark begins with two plain characters. */
const ZEROS: Record<string, string> = {
  '0111': 'utf-32le',
  '1110': 'utf-32be',
  '0101': 'utf-16le',
  '1010': 'utf-16be',
};

// eslint-disable-next-line no-control-regex -- they are what it looks for
const CONTROLS = /[\0-\x08\x0e-\x19\x1c-\x1f]/;

/** The text of a file’s bytes. An Error says why it has none. */
export function decoded(bytes: Uint8Array): string {
  const [mark, encoding] = MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [
    [],
    unmarked(bytes),
  ];
  const text = decodedFrom(bytes.subarray(mark.length), encoding);
  if (text === null) throw new Error(encoding === 'utf-8' && !bytes.includes(0) ? NOT_UTF_8 : NO_TEXT);
  // Nearly any bytes are some text in UTF-16.
  if (CONTROLS.test(text) || (encoding !== 'utf-8' && !/[a-z]/.test(text))) throw new Error(NO_TEXT);
  return text;
}

function unmarked(bytes: Uint8Array): string {
  return ZEROS[[...bytes.subarray(0, 4)].map((byte) => (byte ? 0 : 1)).join('')] ?? 'utf-8';
}

function decodedFrom(bytes: Uint8Array, encoding: string): string | null {
  try {
    if (encoding.startsWith('utf-32')) return fromPoints(bytes, encoding.endsWith('le'));
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-32, which no browser decodes. A RangeError or TypeError says that it is none. */
function fromPoints(bytes: Uint8Array, isLittle: boolean): string {
  if (bytes.length % 4) throw new RangeError();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let index = 0; index < bytes.length; index += 4) {
    const point = view.getUint32(index, isLittle);
    if (point >= 0xd800 && point < 0xe000) throw new RangeError();
    text += String.fromCodePoint(point);
  }
  return text;
}
