"""`python -m icetable` is the command `icetable`."""

import sys

from icetable.cli import main

sys.exit(main())
