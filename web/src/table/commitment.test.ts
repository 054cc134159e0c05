import { afterEach, describe, expect, it, vi } from 'vitest';
import { keeps } from './commitment';

afterEach(() => vi.unstubAllGlobals());

// The SHA-256 of "abc", as the standard gives it.
const SECRET = '616263';
const COMMITMENT = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

describe('nature’s secret', () => {
  it('is the one that was committed, or another', async () => {
    expect(await keeps(COMMITMENT, SECRET)).toBe(true);
    expect(await keeps(COMMITMENT, '616264')).toBe(false);
  });

  it('can’t be checked where the browser works out no hashes', async () => {
    vi.stubGlobal('crypto', {});
    expect(await keeps(COMMITMENT, SECRET)).toBeUndefined();
  });
});
