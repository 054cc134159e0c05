"""A server on a machine whose network has it at 127.0.0.2: `python -m tests.e2e.own_network` is `icetable`."""

from __future__ import annotations

import sys

from icetable.cli import main
from icetable.server.http import local_network

if __name__ == "__main__":
    local_network.hosts_in_network = lambda: ["127.0.0.2"]
    sys.exit(main())
