/** Decodes files by the same rules as `core/record.py`; tests/vectors has the test cases for both. */

const NO_TEXT_ERROR = 'This file isn’t text.';
const NOT_UTF_8_ERROR = 'This file isn’t in UTF-8. Save it as text in UTF-8 or UTF-16.';

/** Byte order marks; of two with a common start, the longer comes first. */
const BYTE_ORDER_MARKS: [number[], string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe, 0, 0], 'utf-32le'],
  [[0, 0, 0xfe, 0xff], 'utf-32be'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Encodings of texts without a mark that start with two ASCII characters, by the zeros among the first four bytes. */
const ENCODINGS_BY_ZEROS: Record<string, string> = {
  '0111': 'utf-32le',
  '1110': 'utf-32be',
  '0101': 'utf-16le',
  '1010': 'utf-16be',
};

// eslint-disable-next-line no-control-regex -- it looks for these
const CONTROL_CHARACTERS = /[\0-\x08\x0e-\x19\x1c-\x1f]/;

/** The text of a file; throws an Error if it has none. */
export function decodeFile(bytes: Uint8Array): string {
  const [mark, encoding] = BYTE_ORDER_MARKS.find(([mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [
    [],
    guessEncoding(bytes),
  ];
  const text = decodeAs(bytes.subarray(mark.length), encoding);
  if (text === null) throw new Error(encoding === 'utf-8' && !bytes.includes(0) ? NOT_UTF_8_ERROR : NO_TEXT_ERROR);
  // Almost any bytes are valid UTF-16.
  if (CONTROL_CHARACTERS.test(text) || (encoding !== 'utf-8' && !/[a-z]/.test(text))) throw new Error(NO_TEXT_ERROR);
  return text;
}

function guessEncoding(bytes: Uint8Array): string {
  return ENCODINGS_BY_ZEROS[[...bytes.subarray(0, 4)].map((byte) => (byte ? 0 : 1)).join('')] ?? 'utf-8';
}

function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    if (encoding.startsWith('utf-32')) return decodeUtf32(bytes, encoding.endsWith('le'));
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes UTF-32, which browsers don’t support. Throws a RangeError or TypeError for invalid bytes. */
function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string {
  if (bytes.length % 4) throw new RangeError();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let index = 0; index < bytes.length; index += 4) {
    const codePoint = view.getUint32(index, isLittleEndian);
    if (codePoint >= 0xd800 && codePoint < 0xe000) throw new RangeError();
    text += String.fromCodePoint(codePoint);
  }
  return text;
}
