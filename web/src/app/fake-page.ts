/** What tests have in the place of a page. */

import { vi } from 'vitest';

vi.stubGlobal('document', { baseURI: 'http://127.0.0.1:8421/' });
