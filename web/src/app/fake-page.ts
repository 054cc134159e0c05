/** What tests have in the place of a page. Files run in one process, each with modules and globals of its own. */

import { vi } from 'vitest';

vi.resetModules();
vi.unstubAllGlobals();
vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:8421/' });
