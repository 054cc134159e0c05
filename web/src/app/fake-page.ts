/** A fake page for tests. All test files run in one process, each with its own modules and globals. */

import { vi } from 'vitest';

vi.resetModules();
vi.unstubAllGlobals();
vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:8421/' });
