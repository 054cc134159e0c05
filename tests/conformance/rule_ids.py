"""Which rules tests are about, as their markers say: `@pytest.mark.rule("XY-3", "XY-4")`.

Only what is marked itself counts, not what stands in a module or class that is marked as a whole.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
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
    """The tests in a folder by the rules that they are about, collected by a pytest of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance.rule_ids", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def main() -> int:
    """Print the tests of the folder that the command line names, by rule."""
    collector = Collector()
    settings = ["-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "--collect-only", "-q"]
    with contextlib.redirect_stdout(sys.stderr):
        failure = pytest.main([*settings, sys.argv[1]], plugins=[collector])
    print(json.dumps(collector.tests))  # noqa: T201
    return int(failure)


if __name__ == "__main__":
    sys.exit(main())
