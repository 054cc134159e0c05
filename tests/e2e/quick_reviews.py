"""`python -m tests.e2e.quick_reviews` is the command `icetable`, whose reviews are shallow and wait for no compiler."""

import os
import sys

os.environ["ICETABLE_JIT"] = "0"

from icetable.cli import main
from icetable.server.live import reviews

if __name__ == "__main__":
    reviews.SIMULATIONS = 2
    sys.exit(main())
