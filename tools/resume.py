"""Stored games of experiments, so that interrupted ones can be resumed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from icetable.core.game import GameInfo
from icetable.sources import changed, game_sources

PLAYERS = ("icetable.lab.plan",)


def folder_of(experiment: Path, info: GameInfo) -> Path:
    """The folder of an experiment's games for the current sources; prints what has changed since its last run."""
    now = game_sources(info, *PLAYERS)
    text = json.dumps(now, indent=1)
    folder = experiment / hashlib.sha256(text.encode()).hexdigest()[:16]
    files = sorted(experiment.glob("*/sources.json"), key=lambda file: file.stat().st_mtime)
    if files and not folder.exists():
        before = json.loads(files[-1].read_text(encoding="utf-8"))
        print(f"{experiment.name} starts again, with a changed {changed(before, now)}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sources.json").write_text(text + "\n", encoding="utf-8")
    return folder / "run"
