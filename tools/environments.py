#!/usr/bin/env python3
"""Writes docs/environments/<game>.md: the meaning of the numbers in each game's environment."""

from __future__ import annotations

from pathlib import Path

from icetable import games
from icetable.envs.describe import page_of

FOLDER = Path(__file__).parent.parent / "docs" / "environments"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """The text of each file by its name."""
    return {f"{info.name}.md": page_of(info.load()) for info in games.list_games()}


if __name__ == "__main__":
    main()
