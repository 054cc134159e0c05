import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ask, post } from '../app/http';
import type { TransferRequest } from '../wire';
import { randomCode, groupedCode, leaveTransfer, parseCode, takeTransfer, NO_CRYPTO_ERROR } from './transfer';

vi.mock('../app/http', () => ({ ask: vi.fn(), post: vi.fn() }));

const TEXT = 'Ann: {"codes": ["c0de"]}';
let left: TransferRequest[] = [];

beforeEach(() => {
  left = [];
  vi.mocked(post).mockImplementation((_, request) => {
    left.push(request as TransferRequest);
    return Promise.resolve({ seconds: 600 });
  });
  vi.mocked(ask).mockImplementation((address) => {
    const found = left.find(({ transfer }) => address === `api/transfers/${transfer}`);
    return found ? Promise.resolve(Response.json(found)) : Promise.reject(new Error('There is nothing.'));
  });
});

afterEach(() => vi.unstubAllGlobals());

it('delivers a text to the holder of the code and hides it from the server', async () => {
  const code = randomCode();
  expect(await leaveTransfer(code, TEXT)).toBe(600);
  const [{ transfer, encrypted }] = left as [TransferRequest];
  expect(transfer).toMatch(/^[0-9a-f]{20}$/);
  for (const sent of [transfer, encrypted, atob(encrypted)]) {
    expect(sent).not.toContain(code);
    expect(sent).not.toContain('Ann');
  }
  expect(await takeTransfer(code)).toBe(TEXT);
  await expect(takeTransfer(randomCode())).rejects.toThrow('There is nothing.');
});

it('encrypts the same text differently each time', async () => {
  for (let i = 0; i < 2; i++) await leaveTransfer('0'.repeat(20), TEXT);
  expect(left[0]!.encrypted).not.toBe(left[1]!.encrypted);
});

it('rejects a transfer that was tampered with', async () => {
  const code = randomCode();
  await leaveTransfer(code, TEXT);
  left = left.map(({ transfer, encrypted }) => ({
    transfer,
    encrypted: encrypted.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A')),
  }));
  await expect(takeTransfer(code)).rejects.toThrow();
});

it('does not send too much', async () => {
  const noise = Array.from({ length: 5 }, () => Array.from(crypto.getRandomValues(new Uint8Array(60_000))).join(''));
  await expect(leaveTransfer(randomCode(), noise.join(''))).rejects.toThrow('too much');
  expect(left).toEqual([]);
});

it('explains that pages without https can’t encrypt', async () => {
  vi.stubGlobal('crypto', { getRandomValues: () => new Uint8Array(20) });
  await expect(leaveTransfer(randomCode(), TEXT)).rejects.toThrow(NO_CRYPTO_ERROR);
});

it('accepts codes as people type them', () => {
  const code = randomCode();
  expect(groupedCode(code)).toMatch(/^(\w{5}-){3}\w{5}$/);
  expect(parseCode(` ${groupedCode(code).toUpperCase()} `)).toBe(code);
  expect(parseCode('OIL00-00000-00000-00000')).toBe('01100000000000000000');
  expect([parseCode(''), parseCode(code.slice(1)), parseCode(code.slice(1) + 'u')]).toEqual([null, null, null]);
});
