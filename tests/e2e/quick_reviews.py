"""`python -m tests.e2e.quick_reviews` is `icetable`, whose reviews are shallow, as are its analyses."""

import sys

from icetable.cli import main
from icetable.server.live.study import analyses, reviews

if __name__ == "__main__":
    reviews.SIMULATIONS = 2
    analyses.DEPTHS = (2, 4)
    sys.exit(main())
