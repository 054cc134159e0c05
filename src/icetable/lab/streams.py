"""Seeds by key: random numbers depend on their purpose, not on those drawn before.

So two plans that differ in a rule get the same die rolls, and any part of a run can be played alone.
"""

from __future__ import annotations

import hashlib

from icetable.kernels import jit


def seed_of(*key: int | str) -> int:
    """A seed for `jit.draw` and for generators; different keys give independent seeds.

    >>> seed_of(7, 0, "die", 3, 0) == seed_of(7, 0, "die", 3, 0) != seed_of(7, 0, "die", 4, 0)
    True
    """
    digest = hashlib.blake2b(repr(key).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % (jit.SEED_LIMIT - 1) + 1
