#!/usr/bin/env python3
"""Measures games as `icetable lab infobox` does, and writes what pages show: src/icetable/games/<game>/measured.json.

Each game is studied with the options that pages suggest, for each number of players. What is finished is kept in
.tools/measured, so that a run that was stopped goes on; a game whose sources have changed begins anew, and says so.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from kept import folder_of

from icetable import games
from icetable.core.game import GameInfo
from icetable.lab.infobox import favours, infobox, summary
from icetable.lab.report import command_of
from icetable.lab.studies import BUDGETS, study

ROOT = Path(__file__).parent.parent
KEPT = ROOT / ".tools" / "measured"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--effort", choices=BUDGETS, default="normal")
    parser.add_argument("--players", type=int, metavar="N", help="measure only this number of players anew")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    chosen = parser.parse_args()
    for info in [games.info(name) for name in chosen.games] or games.list_games():
        file = ROOT / "src" / "icetable" / "games" / info.name / "measured.json"
        told = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        for players in range(info.players[0], info.players[1] + 1):
            if chosen.players in (None, players):
                told[str(players)] = measured(info, players, chosen.effort, chosen.jobs)
                in_order = dict(sorted(told.items(), key=lambda one: int(one[0])))
                file.write_text(json.dumps(in_order, indent=1) + "\n", encoding="utf-8")
                print(info.name, players, told[str(players)]["said"], flush=True)


def measured(info: GameInfo, players: int, effort: str, jobs: int) -> dict[str, Any]:
    """What is told of a game for a number of players."""
    options = {option.name: option.recommended for option in info.options if option.recommended is not None}
    out = folder_of(KEPT / f"{info.name}-{players}-{effort}", info)
    found = study(info.name, players, options, effort, out=out, jobs=jobs)
    cells = [cell._asdict() for cell in infobox(found)]
    return {"said": summary(found), "cells": cells, "command": command_of(found), "favours": favours(found)}


if __name__ == "__main__":
    main()
