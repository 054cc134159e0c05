import { afterEach, describe, expect, it, vi } from 'vitest';
import { matches } from './commitment';

afterEach(() => vi.unstubAllGlobals());

// The SHA-256 of "abc", as the standard gives it.
const SECRET = '616263';
const COMMITMENT = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('the secret of chance', () => {
  it('is the one that was committed, or another', async () => {
    expect(await matches(COMMITMENT, SECRET)).toBe(true);
    expect(await matches(COMMITMENT, '616264')).toBe(false);
  });

  it('can’t be checked if the browser computes no hashes', async () => {
    vi.stubGlobal('crypto', {});
    expect(await matches(COMMITMENT, SECRET)).toBeUndefined();
  });
});
