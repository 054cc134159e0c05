"""Which rules tests are about, as their markers say: `@pytest.mark.rule("XY-3", "XY-4")`.

Only what is marked itself counts, not what stands in a module or class that is marked as a whole.
"""

from __future__ import annotations

import contextlib
import io
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


class Collector:
    """A plugin of pytest that writes down the tests of each rule."""

    def __init__(self) -> None:
        self.tests: dict[str, list[str]] = defaultdict(list)

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Look at a test that was found."""
        for marker in item.own_markers:
            if marker.name == "rule":
                for rule in marker.args:
                    self.tests[rule].append(item.nodeid)


def marked_tests(folder: Path) -> dict[str, list[str]]:
    """The tests in a folder by the rules that they are about, collected once more."""
    collector = Collector()
    without = [word for plugin in ("cacheprovider", "faulthandler", "xdist") for word in ("-p", f"no:{plugin}")]
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        failure = pytest.main(
            ["-c", str(ROOT / "pyproject.toml"), *without, "--collect-only", "-q", str(folder)], plugins=[collector]
        )
    assert failure == pytest.ExitCode.OK, said.getvalue()
    return collector.tests
