"""Workers on other machines: a cluster of Dask as an executor for runs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Executor

from icetable.core.errors import GameError
from icetable.core.options import short_repr

TRIES = 3
"""How often a batch is given out whose worker has died."""


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """The workers of a scheduler, such as tcp://192.0.2.1:8786, each of which needs the same icetable.

    Whoever reaches a scheduler of Dask can run programs there: let it listen on this machine only, or use its TLS.
    Raises GameError where nothing answers there, and without `icetable[cluster]`.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise GameError("this needs Dask: pip install 'icetable[cluster]'") from None
    try:
        client = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise GameError(f"there is no scheduler of Dask at {short_repr(address)}: {error}") from None
    with client:
        yield client.get_executor(retries=TRIES)  # type: ignore[no-untyped-call]
