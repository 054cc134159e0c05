"""A server on a machine that has 127.0.0.2 by Wi-Fi and 127.0.0.3 by a VPN.

`python -m tests.e2e.own_network` is `icetable`.
"""

from __future__ import annotations

import sys

from icetable.cli import main
from icetable.server.http import addresses
from icetable.server.http.addresses import OwnNetwork

if __name__ == "__main__":
    addresses.networks = lambda: [OwnNetwork("127.0.0.2", "wifi", "wlan0"), OwnNetwork("127.0.0.3", "vpn", "tun0")]
    sys.exit(main())
