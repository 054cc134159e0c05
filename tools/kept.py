"""Games that an experiment has played already, kept in .tools, so that one that was stopped goes on."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from icetable.core.game import GameInfo
from icetable.core.made_of import game_sources
from icetable.core.sources import changed

PLAYERS = "icetable.lab.blocks", "icetable.lab.plan"


def folder_of(experiment: Path, info: GameInfo) -> Path:
    """Where games are kept that an experiment plays by the sources of now; says what has changed since it last did."""
    now = game_sources(info, *PLAYERS)
    told = json.dumps(now, indent=1)
    folder = experiment / hashlib.sha256(told.encode()).hexdigest()[:16]
    words = sorted(experiment.glob("*/sources.json"), key=lambda word: word.stat().st_mtime)
    if words and not folder.exists():
        before = json.loads(words[-1].read_text(encoding="utf-8"))
        print(f"{experiment.name} begins anew, with another {changed(before, now)}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sources.json").write_text(told + "\n", encoding="utf-8")
    return folder / "run"
