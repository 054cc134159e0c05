#!/usr/bin/env python3
"""Writes docs/environments/<game>.md: what the numbers of each game's environment mean."""

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
    """What belongs into the folder, by the names of the files."""
    return {f"{info.name}.md": page_of(info.load()) for info in games.list_games()}


if __name__ == "__main__":
    main()
