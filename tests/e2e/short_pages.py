"""A server that tells few acts at once: `python -m tests.e2e.short_pages` is `icetable`."""

from __future__ import annotations

import sys

from icetable.cli import main
from icetable.server import messages

PAGE = 30

if __name__ == "__main__":
    messages.LINES_PER_PAGE = PAGE
    sys.exit(main())
