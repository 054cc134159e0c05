"""Who does the work of a command: this process, several workers of this machine, or a cluster."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager


@contextlib.contextmanager
def workers(chosen: Namespace, pool: Callable[[int], AbstractContextManager[Executor]]) -> Iterator[Executor | None]:
    """The workers that --cluster or --jobs ask for, those of this machine in a `pool`; None for one job: this process.

    Raises GameError.
    """
    with at(chosen.cluster) as cluster:
        if cluster is None and chosen.jobs > 1:
            with pool(chosen.jobs) as where:
                yield where
        else:
            yield cluster


@contextlib.contextmanager
def at(address: str | None, patience: float | None = None) -> Iterator[Executor | None]:
    """The workers of the scheduler at an address (see `lab.cluster`); None without one. Raises GameError."""
    if address is None:
        yield None
        return
    from icetable.lab.cluster import cluster

    with cluster(address, patience) as where:
        yield where
