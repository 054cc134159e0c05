"""The order in which a level prefers the candidates of its search."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from icetable.bots.ranking import Candidate
    from icetable.extras.strength import Effort


def by_preference(candidates: Sequence[Candidate], effort: Effort, rng: random.Random) -> Iterator[Candidate]:
    """The candidates of a search, given best first, in a level's order of preference; overlooked ones come last."""
    noticed = [one for one in candidates if one.wins or rng.random() < effort.notices] or [rng.choice(candidates)]
    best = noticed[0]
    if effort.near <= 1 and not (best.exact or best.wins or best.mixed):
        best = rng.choice([one for one in noticed if not one.exact and one.visits >= effort.near * best.visits])
    yield best
    yield from (one for one in noticed if one is not best)
    yield from (one for one in candidates if one not in noticed)
