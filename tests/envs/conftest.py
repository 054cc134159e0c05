"""Fixtures of all tests of the environments."""

import pytest


@pytest.fixture(autouse=True)
def _threads_share_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that batches of a few games have threads at all."""
    monkeypatch.setattr("icetable.envs.batch.MIN_ROWS_PER_THREAD", 1)
