"""Workers of a command: this process, local workers, or a cluster."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager


@contextlib.contextmanager
def workers(args: Namespace, pool: Callable[[int], AbstractContextManager[Executor]]) -> Iterator[Executor | None]:
    """The workers chosen by --cluster or --jobs, the latter from a `pool`; None for this process. Raises GameError."""
    with cluster_at(args.cluster) as cluster:
        if cluster is None and args.jobs > 1:
            with pool(args.jobs) as executor:
                yield executor
        else:
            yield cluster


@contextlib.contextmanager
def cluster_at(address: str | None, timeout: float | None = None) -> Iterator[Executor | None]:
    """The workers of the scheduler at an address (see `lab.cluster`); None without an address. Raises GameError."""
    if address is None:
        yield None
        return
    from icetable.lab.runs import cluster

    with cluster(address, timeout) as executor:
        yield executor
