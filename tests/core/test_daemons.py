"""Work in threads that nobody waits for."""

from __future__ import annotations

import contextlib
import gc
import weakref

import pytest

from icetable.core.daemons import begin, wait_for


class Heavy:
    """What work has in its hands."""


def test_what_work_returns_and_raises() -> None:
    assert begin(lambda: 3).result() == 3
    with pytest.raises(ZeroDivisionError):
        wait_for(lambda: 1 // 0)


def test_work_that_fails_leaves_nothing_to_the_garbage_collector() -> None:
    """A server has it run seldom, and what a long review held would stay until then."""
    held: list[weakref.ref[Heavy]] = []

    def fail() -> None:
        heavy = Heavy()
        held.append(weakref.ref(heavy))
        raise ValueError

    gc.disable()
    try:
        with contextlib.suppress(ValueError):
            wait_for(fail)
        assert held[0]() is None
    finally:
        gc.enable()
