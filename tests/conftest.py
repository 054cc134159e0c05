"""Settings for all tests."""

from __future__ import annotations

import functools
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from hypothesis import HealthCheck, settings

from icetable import games
from icetable.kernels import jit
from icetable.server.logs import JsonFormatter, PlainFormatter

if TYPE_CHECKING:
    from collections.abc import Iterator

# What helper modules assert is shown with its values, as in tests.
pytest.register_assert_rewrite(*(f"tests.{path.stem}" for path in Path(__file__).parent.glob("[!_]*") if path.is_dir()))

# The first call of a kernel compiles it, and machines are busy, so how long an example takes says nothing. The same
# commit is tried with the same examples whenever it is tested.
settings.register_profile(
    "icetable", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("icetable")


@pytest.fixture(autouse=True, scope="session")
def _certificates() -> Iterator[None]:
    """For each request httpx reads the certificates of the whole world, as long as a server takes for ten answers."""
    with pytest.MonkeyPatch.context() as patch:
        read_once = functools.cache(httpx.create_ssl_context)
        patch.setattr("httpx._transports.default.create_ssl_context", read_once)
        yield


@pytest.fixture(autouse=True)
def _files_run_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that a test has started in this process keeps files apart until the end of the test."""
    monkeypatch.setattr(games, "_load_file", games._load_file)


@pytest.fixture(autouse=True, scope="module")
def _compiled() -> Iterator[None]:
    """A server makes its process run kernels plain until they are compiled; later modules compile them again."""
    yield
    jit._plain_until_compiled.clear()


@pytest.fixture(autouse=True, scope="module")
def _unlogged() -> Iterator[None]:
    """A command that runs in this process sets up logging as a server does."""
    yield
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in [
        handler for handler in root.handlers if isinstance(handler.formatter, JsonFormatter | PlainFormatter)
    ]:
        root.removeHandler(handler)
