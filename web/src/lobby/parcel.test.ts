import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ask, post } from '../app/http';
import type { ParcelRequest } from '../wire';
import { drawCode, groupedCode, leaveParcel, readCode, takeParcel, UNSEALABLE } from './parcel';

vi.mock('../app/http', () => ({ ask: vi.fn(), post: vi.fn() }));

const TEXT = 'Ann: {"codes": ["c0de"]}';
let left: ParcelRequest[] = [];

beforeEach(() => {
  left = [];
  vi.mocked(post).mockImplementation((_, request) => {
    left.push(request as ParcelRequest);
    return Promise.resolve({ seconds: 600 });
  });
  vi.mocked(ask).mockImplementation((address) => {
    const found = left.find(({ parcel }) => address === `api/parcels/${parcel}`);
    return found ? Promise.resolve(Response.json(found)) : Promise.reject(new Error('There is nothing.'));
  });
});

afterEach(() => vi.unstubAllGlobals());

it('who has the code gets what was left, and the server learns nothing of it', async () => {
  const code = drawCode();
  expect(await leaveParcel(code, TEXT)).toBe(600);
  const [{ parcel, sealed }] = left as [ParcelRequest];
  expect(parcel).toMatch(/^[0-9a-f]{20}$/);
  for (const told of [parcel, sealed, atob(sealed)]) {
    expect(told).not.toContain(code);
    expect(told).not.toContain('Ann');
  }
  expect(await takeParcel(code)).toBe(TEXT);
  await expect(takeParcel(drawCode())).rejects.toThrow('There is nothing.');
});

it('the same text is never sealed alike', async () => {
  for (let i = 0; i < 2; i++) await leaveParcel('0'.repeat(20), TEXT);
  expect(left[0]!.sealed).not.toBe(left[1]!.sealed);
});

it('a parcel that was changed is not opened', async () => {
  const code = drawCode();
  await leaveParcel(code, TEXT);
  left = left.map(({ parcel, sealed }) => ({
    parcel,
    sealed: sealed.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')),
  }));
  await expect(takeParcel(code)).rejects.toThrow();
});

it('what is too much is not sent', async () => {
  const noise = Array.from({ length: 5 }, () => Array.from(crypto.getRandomValues(new Uint8Array(60_000))).join(''));
  await expect(leaveParcel(drawCode(), noise.join(''))).rejects.toThrow('too much');
  expect(left).toEqual([]);
});

it('pages without https say why they can’t', async () => {
  vi.stubGlobal('crypto', { getRandomValues: () => new Uint8Array(20) });
  await expect(leaveParcel(drawCode(), TEXT)).rejects.toThrow(UNSEALABLE);
});

it('a code is typed as it is read', () => {
  const code = drawCode();
  expect(groupedCode(code)).toMatch(/^(\w{5}-){3}\w{5}$/);
  expect(readCode(` ${groupedCode(code).toUpperCase()} `)).toBe(code);
  expect(readCode('OIL00-00000-00000-00000')).toBe('01100000000000000000');
  expect([readCode(''), readCode(code.slice(1)), readCode(code.slice(1) + 'u')]).toEqual([null, null, null]);
});
