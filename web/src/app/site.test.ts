import { afterEach, describe, expect, it, vi } from 'vitest';
import { notices, version } from './site';

describe('the notices of the operator', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are those that the head of the page names', () => {
    const found = { content: 'https://example.org/privacy' };
    vi.stubGlobal('document', {
      querySelector: (selector: string) => (selector === 'meta[name="icetable-privacy"]' ? found : null),
    });
    expect(version()).toBe('');
    expect(notices()).toEqual([{ title: 'Privacy', address: found.content }]);
  });
});
